import type { DocumentNode, GraphQLError, GraphQLSchema } from 'graphql';

/** A parsed document, and what validation said of it, by schema. */
export interface KnownDocument {
  readonly document: DocumentNode;
  readonly errors: WeakMap<GraphQLSchema, readonly GraphQLError[]>;
}

/** Characters that a document may take up of the cache on average: none is kept for its size alone. */
const AVERAGE_LENGTH = 2_000;

/** The documents used last, by their text. Bounded in number and in memory. */
export class DocumentCache {
  private readonly known = new Map<string, KnownDocument>();
  private characters = 0;

  constructor(private readonly size: number) {}

  get(source: string): KnownDocument | undefined {
    const found = this.known.get(source);
    if (found === undefined) return undefined;
    // A Map keeps the order of insertion: the first key is the one used longest ago.
    this.known.delete(source);
    this.known.set(source, found);
    return found;
  }

  set(source: string, document: KnownDocument): void {
    this.known.set(source, document);
    this.characters += source.length;
    for (const oldest of this.known.keys()) {
      if (this.known.size <= this.size && this.characters <= this.size * AVERAGE_LENGTH) return;
      this.known.delete(oldest);
      this.characters -= oldest.length;
    }
  }
}
