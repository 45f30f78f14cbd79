/** Stores the records of the bridge. Values are strings. Lifetimes are in milliseconds. */
export interface OauthBridgeStore {
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string, ttlMs: number): Promise<void>;
  /**
   * Stores a value if the key is unused. Returns true if the value was stored. This operation must
   * be atomic.
   */
  add(key: string, value: string, ttlMs: number): Promise<boolean>;
  /** Sets the remaining lifetime of a value. Does nothing if the value does not exist. */
  extend(key: string, ttlMs: number): Promise<void>;
  delete(...keys: string[]): Promise<void>;
  /** Adds a member to a set. The set is kept at least for the given time. */
  addToSet(key: string, member: string, ttlMs: number): Promise<void>;
  membersOf(key: string): Promise<readonly string[]>;
}

/** Maximum number of records in memory. A limit is needed, because anyone may register a client. */
const MAX_RECORDS = 10_000;

interface Kept {
  readonly value: string | Set<string>;
  readonly until: number;
}

/**
 * Stores records in the memory of one process, for development and tests. The oldest record is
 * removed to make room.
 */
export class MemoryBridgeStore implements OauthBridgeStore {
  private readonly records = new Map<string, Kept>();

  get(key: string): Promise<string | undefined> {
    const value = this.read(key);
    return Promise.resolve(typeof value === 'string' ? value : undefined);
  }

  set(key: string, value: string, ttlMs: number): Promise<void> {
    this.write(key, { value, until: Date.now() + ttlMs });
    return Promise.resolve();
  }

  add(key: string, value: string, ttlMs: number): Promise<boolean> {
    if (this.read(key) !== undefined) return Promise.resolve(false);
    this.write(key, { value, until: Date.now() + ttlMs });
    return Promise.resolve(true);
  }

  extend(key: string, ttlMs: number): Promise<void> {
    const value = this.read(key);
    if (value !== undefined) this.write(key, { value, until: Date.now() + ttlMs });
    return Promise.resolve();
  }

  delete(...keys: string[]): Promise<void> {
    for (const key of keys) this.records.delete(key);
    return Promise.resolve();
  }

  addToSet(key: string, member: string, ttlMs: number): Promise<void> {
    const present = this.read(key);
    const until = Math.max(this.records.get(key)?.until ?? 0, Date.now() + ttlMs);
    this.write(key, { value: new Set(present).add(member), until });
    return Promise.resolve();
  }

  membersOf(key: string): Promise<readonly string[]> {
    const value = this.read(key);
    return Promise.resolve(value instanceof Set ? [...value] : []);
  }

  private read(key: string): string | Set<string> | undefined {
    const record = this.records.get(key);
    if (record === undefined || record.until > Date.now()) return record?.value;
    this.records.delete(key);
    return undefined;
  }

  private write(key: string, record: Kept): void {
    this.records.delete(key);
    this.records.set(key, record);
    const [oldest] = this.records.keys();
    if (this.records.size > MAX_RECORDS && oldest !== undefined) this.records.delete(oldest);
  }
}
