import type { GraphQLError, GraphQLFormattedError, ValidationRule } from 'graphql';
import type { ValidatedOperation } from './served-schema.js';

/** Limits and checks that apply to operations on every transport. */
export interface ProtectionOptions {
  /**
   * Validation rules in addition to the rules of the specification. The rules cannot read the
   * variables, because the results of the rules are cached.
   * @default none
   */
  readonly validationRules?: readonly ValidationRule[];
  /**
   * Returns rules that need the variables, such as the cost of a query. Called for each operation
   * after the other rules have passed.
   * @default none
   */
  readonly operationRules?: (operation: ValidatedOperation) => readonly ValidationRule[];
  /**
   * Limits for one operation.
   * @default the defaults of OperationLimits
   */
  readonly limits?: OperationLimits;
  /**
   * Maximum number of tokens in a document.
   * @default 15000
   */
  readonly maxTokens?: number;
  /**
   * Allows `__schema` and `__type` in operations. Errors may then suggest names.
   * @default process.env.NODE_ENV !== 'production'
   */
  readonly introspection?: boolean;
  /**
   * Changes an error before it is sent. If this function throws, the client receives `Internal
   * server error`, and the cause is logged.
   * @default errors stay as they are
   */
  readonly formatError?: FormatError;
  /**
   * The documents that are executed. `'trusted'` executes only the documents of the manifest.
   * Clients send ids, and other documents are rejected. `'automatic'` remembers a document that a
   * client sends with a hash. Later requests may contain only the hash (automatic persisted
   * queries).
   * @default documents of clients are executed
   */
  readonly documents?: 'trusted' | 'automatic';
  /**
   * A store that several processes share, for `'automatic'`. If a hash is not in memory, it is read
   * from the store.
   * @default memory only: 10000 documents, 16 MiB
   */
  readonly documentStore?: DocumentStore;
  /**
   * Documents that clients may send by id: a file, its content, or a function that returns its
   * content at startup.
   * @default none
   */
  readonly manifest?: string | URL | DocumentManifest | ManifestLoader;
  /**
   * The reaction at startup if a document of the manifest is invalid for the schema. With
   * `'throw'`, the startup fails. With `'warn'`, the application starts, and rejects only this
   * document. Requires `manifest`.
   * @default 'throw'
   */
  readonly onStaleDocument?: 'throw' | 'warn';
  /**
   * Number of valid documents that stay parsed. With false, no document stays parsed. A document
   * takes 80 kB of heap on average, so the default takes 40 MB.
   * @default 500
   */
  readonly documentCache?: number | false;
}

/**
 * Limits of one operation: whole numbers of at least 1, or false for no limit. Fragments count each
 * time they are used. An operation that exceeds a limit is rejected with `GRAPHQL_LIMIT_EXCEEDED`
 * before it runs.
 */
export interface OperationLimits {
  /**
   * Maximum depth of nested fields, except below `__schema` and `__type`.
   * @default 30
   */
  readonly depth?: number | false;
  /**
   * Maximum number of fields, except below `__schema` and `__type`.
   * @default 10000
   */
  readonly fields?: number | false;
  /**
   * Maximum number of fields of `Query`, `Mutation` or `Subscription`.
   * @default 100
   */
  readonly rootFields?: number | false;
  /**
   * Maximum number of aliases.
   * @default 250
   */
  readonly aliases?: number | false;
  /**
   * Maximum number of directives.
   * @default 250
   */
  readonly directives?: number | false;
  /**
   * Maximum size of the result of `__schema` and `__type`. The unit is the size of the complete
   * introspection result that tools request.
   * @default 3
   */
  readonly introspection?: number | false;
  /**
   * Maximum cost of an operation with the variables of the request. The package
   * `graphql-query-complexity` calculates the cost.
   * @default false
   */
  readonly cost?: number | false;
}

/**
 * Options for the spans of operations. Spans are created if the application registers an
 * OpenTelemetry SDK.
 */
export interface TraceOptions {
  /**
   * Adds the text of the document to spans (`graphql.document`). Documents may contain literal
   * values from clients.
   * @default false
   */
  readonly traceDocument?: boolean;
}

/** Changes an error before it is sent. */
export type FormatError = (
  formatted: GraphQLFormattedError,
  error: GraphQLError,
) => GraphQLFormattedError;
/**
 * Documents by id: an object in the format of GraphQL Code Generator and Relay, or a manifest of
 * Apollo.
 */
export type DocumentManifest = Readonly<Record<string, string>> | ApolloManifest;

/**
 * Stores the texts of documents by SHA-256 hash in hexadecimal, for example in Redis. Texts may
 * expire. If the store fails, clients send the text again, and a message is logged.
 */
export interface DocumentStore {
  /** Returns the text of a hash. A request waits for the result for at most 1 second. */
  get(hash: string): string | null | undefined | Promise<string | null | undefined>;
  /**
   * Stores the text of a hash. Requests do not wait for the result. While 100 calls are running, no
   * more texts are stored.
   */
  set(hash: string, text: string): unknown;
}

/** Returns the content of a manifest. Called once, at startup. */
export type ManifestLoader = () => DocumentManifest | Promise<DocumentManifest>;

/** The file that Apollo's `generate-persisted-query-manifest` writes. */
export interface ApolloManifest {
  readonly format: 'apollo-persisted-query-manifest';
  readonly version: 1;
  readonly operations: readonly { readonly id: string; readonly body: string }[];
}
