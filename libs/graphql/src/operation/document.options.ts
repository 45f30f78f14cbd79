/** Documents by id, as GraphQL Code Generator and Relay write them, or the manifest of Apollo. */
export type DocumentManifest = Readonly<Record<string, string>> | ApolloManifest;

/**
 * Texts of documents by their SHA-256 hashes in hexadecimal, such as in Redis. Texts may expire. If the store
 * fails, clients send the text again, and a line is logged.
 */
export interface DocumentStore {
  /** Returns the text of a hash. Waited for at most 1 second. */
  get(hash: string): string | null | undefined | Promise<string | null | undefined>;
  /** Keeps the text of a hash. Requests do not wait for it. While 100 calls are under way, more texts are not stored. */
  set(hash: string, text: string): unknown;
}

/** Returns the content of a manifest. Called once, at boot. */
export type ManifestLoader = () => DocumentManifest | Promise<DocumentManifest>;

/** The file that Apollo's `generate-persisted-query-manifest` writes. */
export interface ApolloManifest {
  readonly format: 'apollo-persisted-query-manifest';
  readonly version: 1;
  readonly operations: readonly { readonly id: string; readonly body: string }[];
}
