import type { DocumentNode, GraphQLSchema } from 'graphql';

/** A parsed document, and the schemas it is valid for. */
export interface KnownDocument {
  readonly document: DocumentNode;
  readonly validFor: WeakSet<GraphQLSchema>;
}

/** Heap bytes of one token with the nodes and locations that are made of it, measured. */
const BYTES_PER_TOKEN = 500;
/** Heap bytes that a document may take up on average. The cache holds `size` times as much: 40 MB by default. */
const AVERAGE_BYTES = 80_000;
/** The part of the cache that one document may take, so that a few large ones do not evict the others. */
const LARGEST_PART = 1 / 16;

/** The documents used last, by their text. Bounded in number and in heap bytes. */
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
    // A Map keeps the order of insertion: the first key is the one used longest ago.
    this.known.delete(source);
    this.known.set(source, found);
    return found;
  }

  /** Keeps a document, unless it is too large. Its text must not be in the cache. */
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

/** Counts comments too: they are tokens of the document, though `maxTokens` does not see them. */
function bytesOf(source: string, { loc }: DocumentNode): number {
  let tokens = 0;
  for (let token = loc?.startToken; token; token = token.next ?? undefined) tokens += 1;
  return tokens * BYTES_PER_TOKEN + source.length * 2;
}
