import type { GraphQLError, GraphQLFormattedError, ValidationRule } from 'graphql';
import type { ValidatedOperation } from './served-schema.js';

/** Limits and checks that apply to operations on each transport. */
export interface ProtectionOptions {
  /** Validation rules added to those of the specification. They cannot read the variables, because results are cached. @default none */
  readonly validationRules?: readonly ValidationRule[];
  /**
   * Returns rules that need the variables, such as the cost of a query. Called for each operation, after
   * the other rules have passed. @default none
   */
  readonly operationRules?: (operation: ValidatedOperation) => readonly ValidationRule[];
  /** Limits what one operation may ask for. @default those of OperationLimits */
  readonly limits?: OperationLimits;
  /** Maximum number of tokens in a document. @default 15000 */
  readonly maxTokens?: number;
  /** Whether `__schema` and `__type` are answered, and errors suggest names. @default process.env.NODE_ENV !== 'production' */
  readonly introspection?: boolean;
  /** Changes an error before it is sent. If it throws, the client gets `Internal server error` and the cause is logged. @default errors stay as they are */
  readonly formatError?: FormatError;
  /**
   * `'trusted'` executes the documents of the manifest only: clients send their ids, and each other document
   * is refused. `'automatic'` remembers documents that clients send with their hashes, and then executes them by
   * hash (automatic persisted queries). @default documents of clients are executed
   */
  readonly documents?: 'trusted' | 'automatic';
  /** With `'automatic'`: a store that processes share, asked for hashes that are not in memory. @default memory only: 10000 documents, 16 MiB */
  readonly documentStore?: DocumentStore;
  /**
   * Documents that clients may send by id: a file, its content, or a function that returns its content at boot.
   * @default none
   */
  readonly manifest?: string | URL | DocumentManifest | ManifestLoader;
  /** What happens at boot if the schema does not accept a document of the manifest: `'warn'` starts the application, which refuses this document only. @default 'throw' */
  readonly onStaleDocument?: 'throw' | 'warn';
  /** Number of valid documents kept parsed, at 80 kB of heap each on average (40 MB by default); false for none. @default 500 */
  readonly documentCache?: number | false;
}

/**
 * Limits of one operation: whole numbers of at least 1, or false for no limit. Fragments count at each use. An
 * operation that exceeds one is refused with `GRAPHQL_LIMIT_EXCEEDED` before it runs.
 */
export interface OperationLimits {
  /** Maximum levels of fields, except below `__schema` and `__type`. @default 30 */
  readonly depth?: number | false;
  /** Maximum number of fields, except below `__schema` and `__type`. @default 10000 */
  readonly fields?: number | false;
  /** Maximum number of fields of `Query`, `Mutation` or `Subscription`. @default 100 */
  readonly rootFields?: number | false;
  /** Maximum number of aliases. @default 250 */
  readonly aliases?: number | false;
  /** Maximum number of directives. @default 250 */
  readonly directives?: number | false;
  /** Maximum size of what `__schema` and `__type` answer, in multiples of the complete introspection that tools ask for. @default 3 */
  readonly introspection?: number | false;
  /** Maximum cost with the variables of the request, by the package `graphql-query-complexity`. @default false */
  readonly cost?: number | false;
}

/** What the spans of operations contain. They exist if the application registers an OpenTelemetry SDK. */
export interface TraceOptions {
  /** Adds the text of the document to spans (`graphql.document`). Texts may contain values that clients wrote into them. @default false */
  readonly traceDocument?: boolean;
}

/** Changes an error before it is sent. */
export type FormatError = (
  formatted: GraphQLFormattedError,
  error: GraphQLError,
) => GraphQLFormattedError;
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
