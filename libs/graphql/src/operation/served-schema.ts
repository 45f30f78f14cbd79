import {
  assertValidSchema,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
} from 'graphql';
import { GraphqlSchemaError } from '../graphql.errors.js';

/**
 * The schema of an endpoint, and the services that check, count and trace its operations on every
 * transport.
 */
export interface ServedSchema {
  /**
   * Returns the schema. If another module builds the schema, throws until the application is
   * initialized.
   */
  readonly schema: () => GraphQLSchema;
  readonly rootValue: unknown;
  readonly protection: OperationProtection;
  readonly documents: OperationDocuments;
  /** Executes queries and mutations. This is the option `executor`. */
  readonly execute: GraphqlExecutor;
  readonly counts: OperationCounter;
  readonly tracer: OperationTracer;
}

/** Parses and validates documents, and formats errors for clients. */
export interface OperationProtection {
  /**
   * Loads optional packages. Called at startup, before the first operation.
   * @default nothing to load
   */
  readonly load?: () => Promise<void>;
  /** @throws GraphQLError for a syntax error or too many tokens */
  parse(source: string): DocumentNode;
  /**
   * Returns the errors of a document.
   * @param operation the operation whose limits are checked. `operationRules` also receives this
   * operation
   */
  validate(
    schema: GraphQLSchema,
    document: DocumentNode,
    operation?: ValidatedOperation,
  ): readonly GraphQLError[];
  /**
   * Formats an error for clients: without a stack, and masked in production if the error is
   * unexpected.
   */
  format(error: Error): GraphQLFormattedError;
}

/** Finds the documents of requests, according to the options `documents` and `manifest`. */
export interface OperationDocuments {
  /**
   * Returns the text of a request's document. Returns undefined if the request has no document.
   * @throws GraphQLError for an unknown id, and for a document that is not trusted
   */
  textOf(request: DocumentRequest): string | undefined | Promise<string | undefined>;
}

/** The request fields that can identify a document. */
export interface DocumentRequest {
  readonly query?: unknown;
  readonly documentId?: unknown;
  readonly extensions?: unknown;
}

/** Counts the operations of an endpoint. */
export interface OperationCounter {
  /**
   * Call this when an operation reaches execution. Subscriptions are ignored, because they are
   * counted elsewhere.
   */
  started(kind: 'query' | 'mutation' | 'subscription'): void;
  /** Call this once for each operation that ends with errors or is rejected. */
  failed(): void;
}

/** Traces operations with OpenTelemetry, if the application registered an SDK. */
export interface OperationTracer {
  /**
   * Runs `execute` or `subscribe` of graphql-js in a span. The span ends with the result. For a
   * subscription, the span ends when the stream has started.
   */
  run<T>(operation: TracedOperation, execute: () => T | Promise<T>): T | Promise<T>;
}

/** The operation that a span describes. */
export interface TracedOperation {
  readonly document: DocumentNode;
  readonly operationName?: string | null | undefined;
}

/** The parts of a request that validation may need, in addition to the document. */
export interface ValidatedOperation {
  readonly operationName?: string | null | undefined;
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined;
}

/**
 * Executes an operation that is already parsed and validated. The parameters and the result are the
 * same as of `execute` of graphql-js.
 */
export type GraphqlExecutor = (args: ExecutionArgs) => ExecutionResult | Promise<ExecutionResult>;

/**
 * Returns a schema after its validation.
 * @throws GraphqlSchemaError if the schema is invalid or `build` throws
 */
export function validSchema(
  endpoint: string,
  option: 'schema' | 'typeDefs',
  build: () => GraphQLSchema,
): GraphQLSchema {
  try {
    const schema = build();
    assertValidSchema(schema);
    return schema;
  } catch (error) {
    throw new GraphqlSchemaError(endpoint, option, error);
  }
}
