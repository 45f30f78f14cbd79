/** The size of a `BoundedCache`. */
export interface CacheBounds {
  readonly maxEntries: number;
  readonly maxBytes: number;
  /** Larger entries are not stored, so a few of them do not evict the others. */
  readonly maxEntryBytes: number;
}

/** A least-recently-used cache, bounded in number and in heap bytes. */
export class BoundedCache<Value> {
  private readonly entries = new Map<string, { readonly value: Value; readonly bytes: number }>();
  private bytes = 0;

  constructor(private readonly bounds: CacheBounds) {}

  get(key: string): Value | undefined {
    const found = this.entries.get(key);
    if (found === undefined) return undefined;
    // Insert it again: a Map keeps insertion order, so its first key is the least recently used.
    this.entries.delete(key);
    this.entries.set(key, found);
    return found.value;
  }

  /**
   * Stores a value unless it is too large or the key has one.
   * @param bytes heap bytes of the entry
   */
  add(key: string, value: Value, bytes: number): void {
    const { maxEntries, maxBytes, maxEntryBytes } = this.bounds;
    if (bytes > maxEntryBytes || this.entries.has(key)) return;
    this.entries.set(key, { value, bytes });
    this.bytes += bytes;
    for (const [oldest, { bytes: freed }] of this.entries) {
      if (this.entries.size <= maxEntries && this.bytes <= maxBytes) return;
      this.entries.delete(oldest);
      this.bytes -= freed;
    }
  }
}
