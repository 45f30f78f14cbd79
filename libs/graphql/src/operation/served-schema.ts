import type {
  DocumentNode,
  ExecutionArgs,
  ExecutionResult,
  GraphQLError,
  GraphQLFormattedError,
  GraphQLSchema,
} from 'graphql';

/** The schema of an endpoint and what guards and counts its operations, on each transport. */
export interface ServedSchema {
  /** Throws before the application is initialized if another module builds the schema. */
  readonly schema: () => GraphQLSchema;
  readonly rootValue: unknown;
  readonly protection: OperationProtection;
  readonly documents: OperationDocuments;
  /** Executes queries and mutations: the option `executor`. */
  readonly execute: GraphqlExecutor;
  readonly counts: OperationCounter;
  readonly tracer: OperationTracer;
}

/** Parses and validates documents, and formats errors for clients. */
export interface OperationProtection {
  /** Called at boot, before the first operation, to load optional packages. @default nothing to load */
  readonly load?: () => Promise<void>;
  /** @throws GraphQLError for a syntax error or too many tokens */
  parse(source: string): DocumentNode;
  /**
   * Returns the errors of a document.
   * @param operation selects what is compared with the limits, and is passed to `operationRules`
   */
  validate(
    schema: GraphQLSchema,
    document: DocumentNode,
    operation?: ValidatedOperation,
  ): readonly GraphQLError[];
  /** Returns an error as clients see it: without a stack, and masked in production if unexpected. */
  format(error: Error): GraphQLFormattedError;
}

/** Finds the documents of requests, by the options `documents` and `manifest`. */
export interface OperationDocuments {
  /**
   * Returns the text of a request's document. Undefined for a request without a document.
   * @throws GraphQLError for an unknown id, and for a document that is not trusted
   */
  textOf(request: DocumentRequest): string | undefined | Promise<string | undefined>;
}

/** The members of a request that can name its document. */
export interface DocumentRequest {
  readonly query?: unknown;
  readonly documentId?: unknown;
  readonly extensions?: unknown;
}

/** Counts the operations of an endpoint. */
export interface OperationCounter {
  /** Call it when an operation reaches execution. Subscriptions are counted elsewhere and ignored here. */
  started(kind: 'query' | 'mutation' | 'subscription'): void;
  /** Call it once for each operation that ends with errors or is refused. */
  failed(): void;
}

/** Traces operations with OpenTelemetry, if the application registered an SDK. */
export interface OperationTracer {
  /**
   * Runs `execute` or `subscribe` of graphql-js in a span, which ends with the result: for a subscription,
   * when its stream has started.
   */
  run<T>(operation: TracedOperation, execute: () => T | Promise<T>): T | Promise<T>;
}

/** The operation of a span. */
export interface TracedOperation {
  readonly document: DocumentNode;
  readonly operationName?: string | null | undefined;
}

/** The parts of a request that validation can depend on, besides the document. */
export interface ValidatedOperation {
  readonly operationName?: string | null | undefined;
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined;
}

/**
 * Executes an operation, with the arguments and the result of graphql-js' `execute`. The operation is parsed
 * and validated.
 */
export type GraphqlExecutor = (args: ExecutionArgs) => ExecutionResult | Promise<ExecutionResult>;
