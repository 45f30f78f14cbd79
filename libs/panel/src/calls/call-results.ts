import { cutValue } from './cut-value.js';

/** Maximum bytes of all kept results together. */
const MOST_BYTES = 4 * 1024 * 1024;

/**
 * Keeps the results of the last calls, up to a total size. Large results are shortened. Results are
 * kept as bytes of JSON, which take less memory than objects. A string could take two bytes per
 * character.
 */
export class CallResults {
  private readonly kept = new Map<number, Buffer>();
  private bytes = 0;

  /** Keeps the result of a call. Drops the oldest results if the total size is too large. */
  add(id: number, result: unknown): void {
    const json = Buffer.from(JSON.stringify(cutValue(result)));
    this.kept.set(id, json);
    this.bytes += json.length;
    for (const oldest of this.kept.keys()) {
      if (this.bytes <= MOST_BYTES) break;
      this.drop(oldest);
    }
  }

  drop(id: number): void {
    this.bytes -= this.kept.get(id)?.length ?? 0;
    this.kept.delete(id);
  }

  get(id: number): unknown {
    const json = this.kept.get(id);
    return json === undefined ? undefined : (JSON.parse(json.toString()) as unknown);
  }
}
