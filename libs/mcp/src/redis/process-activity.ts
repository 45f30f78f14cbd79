import { createHash } from 'node:crypto';

interface SessionActivity {
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
export class ProcessActivity {
  private readonly sessions = new Map<string, SessionActivity>();

  begin(id: string, key: string): void {
    const { requests } = this.of(id);
    requests.set(key, (requests.get(key) ?? 0) + 1);
  }

  end(id: string, key: string): void {
    const session = this.sessions.get(id);
    if (!session) return;
    const left = (session.requests.get(key) ?? 0) - 1;
    if (left > 0) session.requests.set(key, left);
    else session.requests.delete(key);
    this.forget(id, session);
  }

  listens(id: string): void {
    this.of(id).stream = true;
  }

  unlistens(id: string): void {
    const session = this.sessions.get(id);
    if (!session) return;
    session.stream = false;
    this.forget(id, session);
  }

  toJson(): string {
    const sessions: Record<string, object> = {};
    for (const [id, { requests, stream }] of this.sessions) {
      sessions[id] = { requests: [...requests.keys()], stream };
    }
    return JSON.stringify(sessions);
  }

  private of(id: string): SessionActivity {
    let session = this.sessions.get(id);
    if (!session) this.sessions.set(id, (session = { requests: new Map(), stream: false }));
    return session;
  }

  private forget(id: string, { requests, stream }: SessionActivity): void {
    if (requests.size === 0 && !stream) this.sessions.delete(id);
  }
}
