import { randomBytes } from 'node:crypto';
import type { McpKnownWrite, McpWrite, McpWrites } from './write-store.js';

/** Maximum number of stored names. The oldest finished call is removed to make room. */
const MOST = 10_000;

interface Kept {
  readonly until: number;
  readonly known: McpKnownWrite;
}

/** Stores keys in the memory of this process. The keys are lost when the process ends. */
export class MemoryWrites implements McpWrites {
  private readonly key = randomBytes(32).toString('base64url');
  private readonly kept = new Map<string, Kept>();
  /** The used names. Each has a time until which it is remembered. */
  private readonly used = new Map<string, number>();

  /** @param onForget called when a key is removed before it expires */
  constructor(private readonly onForget: () => void) {}

  find(key: string): Promise<McpKnownWrite | undefined> {
    return Promise.resolve(this.known(key));
  }

  begin(key: string, write: McpWrite, ttlMs: number): Promise<McpKnownWrite | undefined> {
    const known = this.known(key);
    if (!known) {
      this.makeRoom();
      this.put(key, { write, isRunning: true }, ttlMs);
    }
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
    this.kept.delete(key);
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
    this.kept.delete(key);
    this.kept.set(key, { until: Date.now() + ttlMs, known });
  }

  private makeRoom(): void {
    if (this.kept.size < MOST) return;
    const now = Date.now();
    for (const [key, { until }] of this.kept) if (until <= now) this.kept.delete(key);
    if (this.kept.size < MOST) return;
    for (const [key, { known }] of this.kept) {
      if (known.isRunning) continue;
      this.kept.delete(key);
      this.onForget();
      return;
    }
  }
}
