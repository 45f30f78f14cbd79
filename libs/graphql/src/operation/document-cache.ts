import type { DocumentNode, GraphQLSchema } from 'graphql';
import { BoundedCache } from './bounded-cache.js';

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
  private readonly known: BoundedCache<KnownDocument>;

  constructor(size: number) {
    const maxBytes = size * AVERAGE_BYTES;
    const maxEntryBytes = Math.max(AVERAGE_BYTES, maxBytes * LARGEST_PART);
    this.known = new BoundedCache({ maxEntries: size, maxBytes, maxEntryBytes });
  }

  get(source: string): KnownDocument | undefined {
    return this.known.get(source);
  }

  /** Stores a document unless it is too large or its text is in the cache already. */
  add(source: string, known: KnownDocument): void {
    this.known.add(source, known, bytesOf(source, known.document));
  }
}

/** Estimates heap bytes. Counts comments too: they use memory, although `maxTokens` ignores them. */
function bytesOf(source: string, { loc }: DocumentNode): number {
  let tokens = 0;
  for (let token = loc?.startToken; token; token = token.next ?? undefined) tokens += 1;
  return tokens * BYTES_PER_TOKEN + source.length * 2;
}
