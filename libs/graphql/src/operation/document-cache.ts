import type { DocumentNode, GraphQLSchema } from 'graphql';

/** A parsed document and the schemas it is valid for. */
export interface KnownDocument {
  readonly document: DocumentNode;
  readonly validFor: WeakSet<GraphQLSchema>;
}

/** Heap bytes of one token with its nodes and locations, measured. */
const BYTES_PER_TOKEN = 500;
/** Average heap bytes budgeted for a document. The cache holds `size` times this: 40 MB by default. */
const AVERAGE_BYTES = 80_000;
/** The share of the cache that one document may use, so a few large documents do not evict the others. */
const LARGEST_PART = 1 / 16;

/** A least-recently-used cache of documents by their text, bounded in number and in heap bytes. */
export class DocumentCache {
  private readonly known = new Map<string, KnownDocument & { readonly bytes: number }>();
  private readonly maxBytes: number;
  private readonly maxDocumentBytes: number;
  private bytes = 0;

  constructor(private readonly size: number) {
    this.maxBytes = size * AVERAGE_BYTES;
    this.maxDocumentBytes = Math.max(AVERAGE_BYTES, this.maxBytes * LARGEST_PART);
  }

  get(source: string): KnownDocument | undefined {
    const found = this.known.get(source);
    if (found === undefined) return undefined;
    // Insert it again: a Map keeps insertion order, so its first key is the least recently used.
    this.known.delete(source);
    this.known.set(source, found);
    return found;
  }

  /** Stores a document unless it is too large. The text must not be in the cache already. */
  set(source: string, known: KnownDocument): void {
    const bytes = bytesOf(source, known.document);
    if (bytes > this.maxDocumentBytes) return;
    this.known.set(source, { ...known, bytes });
    this.bytes += bytes;
    for (const [oldest, { bytes: freed }] of this.known) {
      if (this.known.size <= this.size && this.bytes <= this.maxBytes) return;
      this.known.delete(oldest);
      this.bytes -= freed;
    }
  }
}

/** Estimates heap bytes. Counts comments too: they use memory, although `maxTokens` ignores them. */
function bytesOf(source: string, { loc }: DocumentNode): number {
  let tokens = 0;
  for (let token = loc?.startToken; token; token = token.next ?? undefined) tokens += 1;
  return tokens * BYTES_PER_TOKEN + source.length * 2;
}
