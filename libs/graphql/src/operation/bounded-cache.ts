import type { DocumentNode } from 'graphql';

/** The size of a `BoundedCache`. */
export interface CacheBounds {
  readonly maxEntries: number;
  readonly maxBytes: number;
  /**
   * Maximum bytes of an entry. Larger entries are not stored, because a few large entries would
   * displace all others.
   */
  readonly maxEntryBytes: number;
}

interface Entry<Value> {
  readonly value: Value;
  readonly bytes: number;
  /** True if the entry was read after it was added, or after it was spared. */
  used: boolean;
}

/**
 * A cache that limits the number of entries and their heap bytes. Removes the oldest entries first.
 * A used entry is spared once ("second chance"). A least-recently-used cache would change the order
 * of its Map at each read. Such changes create garbage that only a full collection can free.
 */
export class BoundedCache<Value> {
  private readonly entries = new Map<string, Entry<Value>>();
  private bytes = 0;

  constructor(private readonly bounds: CacheBounds) {}

  get(key: string): Value | undefined {
    const found = this.entries.get(key);
    if (found === undefined) return undefined;
    found.used = true;
    return found.value;
  }

  /**
   * Stores a value, unless the value is too large or the key already has a value.
   * @param bytes heap bytes of the entry
   */
  add(key: string, value: Value, bytes: number): void {
    if (bytes > this.bounds.maxEntryBytes || this.entries.has(key)) return;
    this.makeRoomFor(bytes);
    this.entries.set(key, { value, bytes, used: false });
    this.bytes += bytes;
  }

  private makeRoomFor(bytes: number): void {
    const { maxEntries, maxBytes } = this.bounds;
    // A spared entry is inserted again. A Map keeps insertion order, so the loop reaches the entry
    // once more.
    for (const [oldest, entry] of this.entries) {
      if (this.entries.size < maxEntries && this.bytes + bytes <= maxBytes) return;
      this.entries.delete(oldest);
      if (entry.used) this.entries.set(oldest, Object.assign(entry, { used: false }));
      else this.bytes -= entry.bytes;
    }
  }
}

/** Measured heap bytes of one token with its nodes and locations. */
const BYTES_PER_TOKEN = 500;
/**
 * Average heap bytes of a document. The maximum size of the cache is `size` times this number: 40
 * MB by default.
 */
const AVERAGE_BYTES = 80_000;
/**
 * The largest part of the cache that one document may use. Otherwise, a few large documents would
 * displace all others.
 */
const LARGEST_PART = 1 / 16;

/** Creates a cache of documents, by their text. */
export function documentCache(size: number): BoundedCache<DocumentNode> {
  const maxBytes = size * AVERAGE_BYTES;
  const maxEntryBytes = Math.max(AVERAGE_BYTES, maxBytes * LARGEST_PART);
  return new BoundedCache({ maxEntries: size, maxBytes, maxEntryBytes });
}

/**
 * Estimates the heap bytes of a document. Comments count, because they use memory. `maxTokens` does
 * not count comments.
 */
export function bytesOf(source: string, { loc }: DocumentNode): number {
  let tokens = 0;
  for (let token = loc?.startToken; token; token = token.next ?? undefined) tokens += 1;
  return tokens * BYTES_PER_TOKEN + source.length * 2;
}
