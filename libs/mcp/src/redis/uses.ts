import { createHash } from 'node:crypto';

interface Use {
  /**
   * The number of running requests in this process, by request key. The number is above one only
   * until the store rejects the duplicate request.
   */
  readonly requests: Map<string, number>;
  stream: boolean;
}

const LONGEST_KEY = 100;

/**
 * Returns the key of a request id. The ids `1` and `"1"` have different keys. For a long id, the
 * key is a digest.
 */
export function keyOf(request: string | number): string {
  const json = JSON.stringify(request);
  return json.length <= LONGEST_KEY ? json : createHash('sha256').update(json).digest('hex');
}

/**
 * Tracks, for each session, the requests that run in this process and the streams that are open in
 * this process.
 */
export class Uses {
  private readonly sessions = new Map<string, Use>();

  begin(id: string, key: string): void {
    const { requests } = this.of(id);
    requests.set(key, (requests.get(key) ?? 0) + 1);
  }

  end(id: string, key: string): void {
    const use = this.sessions.get(id);
    if (!use) return;
    const left = (use.requests.get(key) ?? 0) - 1;
    if (left > 0) use.requests.set(key, left);
    else use.requests.delete(key);
    this.forget(id, use);
  }

  listens(id: string): void {
    this.of(id).stream = true;
  }

  unlistens(id: string): void {
    const use = this.sessions.get(id);
    if (!use) return;
    use.stream = false;
    this.forget(id, use);
  }

  toJson(): string {
    const uses: Record<string, object> = {};
    for (const [id, { requests, stream }] of this.sessions) {
      uses[id] = { requests: [...requests.keys()], stream };
    }
    return JSON.stringify(uses);
  }

  private of(id: string): Use {
    let use = this.sessions.get(id);
    if (!use) this.sessions.set(id, (use = { requests: new Map(), stream: false }));
    return use;
  }

  private forget(id: string, { requests, stream }: Use): void {
    if (requests.size === 0 && !stream) this.sessions.delete(id);
  }
}
