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

/** Makes a cache of documents by their text. */
export function documentCache(size: number): BoundedCache<KnownDocument> {
  const maxBytes = size * AVERAGE_BYTES;
  const maxEntryBytes = Math.max(AVERAGE_BYTES, maxBytes * LARGEST_PART);
  return new BoundedCache({ maxEntries: size, maxBytes, maxEntryBytes });
}

/** Estimates the heap bytes of a document. Counts comments too: they use memory, although `maxTokens` ignores them. */
export function bytesOf(source: string, { loc }: DocumentNode): number {
  let tokens = 0;
  for (let token = loc?.startToken; token; token = token.next ?? undefined) tokens += 1;
  return tokens * BYTES_PER_TOKEN + source.length * 2;
}
