import type { UsedCode, UsedCodes } from './impersonation.options.js';

/**
 * Keeps used codes in the memory of this process. Refuses codes from before its start, which a process
 * that was restarted may have accepted, and further codes while it is full.
 */
export class MemoryUsedCodes implements UsedCodes {
  private readonly used = new Map<string, number>();
  private readonly since: number;

  constructor(
    private readonly max = 10_000,
    private readonly now: () => number = Date.now,
  ) {
    this.since = now();
  }

  take({ id, issuedAt, keepUntil }: UsedCode): boolean {
    if (issuedAt < this.since || this.used.has(id)) return false;
    if (this.used.size >= this.max) this.forgetExpired();
    if (this.used.size >= this.max) return false;
    this.used.set(id, keepUntil);
    return true;
  }

  private forgetExpired(): void {
    const now = this.now();
    for (const [id, keepUntil] of this.used) if (keepUntil <= now) this.used.delete(id);
  }
}
