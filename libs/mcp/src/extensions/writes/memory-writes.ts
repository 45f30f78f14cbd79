import { randomBytes } from 'node:crypto';
import type { McpKnownWrite, McpWrite, McpWrites } from './write-store.js';

/** Maximum number of stored names. The oldest finished call is removed to make room. */
const MOST = 10_000;
/** Maximum bytes of all stored responses together: 64 MiB. */
const MOST_BYTES = 67_108_864;

interface Kept {
  /** `Infinity` while the call runs: a call may run longer than its key is stored. */
  readonly until: number;
  readonly known: McpKnownWrite;
  readonly bytes: number;
}

/** Stores keys in the memory of this process. The keys are lost when the process ends. */
export class MemoryWrites implements McpWrites {
  private readonly key = randomBytes(32).toString('base64url');
  private readonly kept = new Map<string, Kept>();
  private bytes = 0;
  /** The used names. Each has a time until which it is remembered. */
  private readonly used = new Map<string, number>();

  /** @param onForget called when a key is removed before it expires */
  constructor(private readonly onForget: () => void) {}

  find(key: string): Promise<McpKnownWrite | undefined> {
    return Promise.resolve(this.known(key));
  }

  begin(key: string, write: McpWrite, ttlMs: number): Promise<McpKnownWrite | undefined> {
    const known = this.known(key);
    if (!known) this.put(key, { write, isRunning: true }, ttlMs);
    return Promise.resolve(known);
  }

  renew(): Promise<void> {
    return Promise.resolve();
  }

  end(key: string, write: McpWrite, ttlMs: number): Promise<void> {
    this.put(key, { write, isRunning: false }, ttlMs);
    return Promise.resolve();
  }

  free(key: string): Promise<void> {
    this.remove(key);
    return Promise.resolve();
  }

  useUp(name: string, ttlMs: number): Promise<boolean> {
    const now = Date.now();
    // Entries have similar lifetimes, so the oldest entries expire first.
    for (const [other, until] of this.used) {
      if (until > now) break;
      this.used.delete(other);
    }
    const isNew = !this.used.has(name);
    if (isNew) this.used.set(name, now + ttlMs);
    return Promise.resolve(isNew);
  }

  secret(): Promise<string> {
    return Promise.resolve(this.key);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private known(key: string): McpKnownWrite | undefined {
    const kept = this.kept.get(key);
    return kept && kept.until > Date.now() ? kept.known : undefined;
  }

  private put(key: string, known: McpKnownWrite, ttlMs: number): void {
    this.remove(key);
    const { answer } = known.write;
    const bytes = answer === undefined ? 0 : Buffer.byteLength(JSON.stringify(answer));
    this.kept.set(key, { until: known.isRunning ? Infinity : Date.now() + ttlMs, known, bytes });
    this.bytes += bytes;
    this.makeRoom();
  }

  private remove(key: string): void {
    this.bytes -= this.kept.get(key)?.bytes ?? 0;
    this.kept.delete(key);
  }

  private get isFull(): boolean {
    return this.kept.size > MOST || this.bytes > MOST_BYTES;
  }

  private makeRoom(): void {
    if (!this.isFull) return;
    const now = Date.now();
    for (const [key, { until }] of this.kept) if (until <= now) this.remove(key);
    for (const [key, { known }] of this.kept) {
      if (!this.isFull) return;
      if (known.isRunning) continue;
      this.remove(key);
      this.onForget();
    }
  }
}
