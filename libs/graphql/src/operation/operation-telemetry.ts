import { inSpan, openTelemetry, type RunningSpan } from '@fledge/core/packages';
import {
  type DocumentNode,
  getOperationAST,
  GraphQLError,
  type OperationDefinitionNode,
} from 'graphql';
import { isResultFault } from './returned-value-errors.js';
import type { OperationCounter, OperationTracer, TracedOperation } from './served-schema.js';

/** Counts of one endpoint over all transports, since startup. */
export interface OperationNumbers {
  /** Queries that reached execution. */
  readonly queries: number;
  /** Mutations that reached execution. */
  readonly mutations: number;
  /**
   * Operations that ended with errors or were rejected before execution. Each operation counts
   * once.
   */
  readonly errors: number;
}

/** Counts the operations of one endpoint. */
export class OperationCounts implements OperationCounter {
  private numbers = { queries: 0, mutations: 0, errors: 0 };

  /** Counts a query or mutation. Ignores subscriptions, which `SubscriptionNumbers` counts. */
  started(kind: 'query' | 'mutation' | 'subscription'): void {
    if (kind === 'query') this.numbers.queries += 1;
    else if (kind === 'mutation') this.numbers.mutations += 1;
  }

  failed(): void {
    this.numbers.errors += 1;
  }

  snapshot(): OperationNumbers {
    return { ...this.numbers };
  }
}

// Span names and rules: OpenTelemetry semantic conventions, docs/graphql/graphql-spans.md.

export const SCOPE = '@fledge/graphql';

const LONGEST_DOCUMENT = 8_192;

/**
 * Creates the spans of an endpoint's operations, if the application registered an OpenTelemetry
 * SDK.
 */
export class OperationSpans implements OperationTracer {
  constructor(private readonly withDocument = false) {}

  run<T>({ document, operationName }: TracedOperation, execute: () => T | Promise<T>) {
    if (openTelemetry() === undefined) return execute();
    const operation = getOperationAST(document, operationName);
    // The document has no operation with this name. graphql-js reports the error.
    if (!operation) return execute();
    const attributes = operationAttributesOf(operation, this.withDocument ? document : undefined);
    // The operation name is only an attribute, not the span name. Clients choose operation names,
    // so there could be too many span names.
    const name = operation.operation;
    return inSpan<T | Promise<T>>({ scope: SCOPE, kind: 'server', name, attributes }, (span) => {
      const result = execute();
      return result instanceof Promise
        ? result.then((value) => seen(value, span))
        : seen(result, span);
    });
  }
}

export function operationAttributesOf(
  { operation, name }: OperationDefinitionNode,
  document: DocumentNode | undefined,
): Record<string, string> {
  const text = document?.loc?.source.body;
  return {
    'graphql.operation.type': operation,
    ...(name && { 'graphql.operation.name': name.value }),
    ...(text !== undefined && { 'graphql.document': text.slice(0, LONGEST_DOCUMENT) }),
  };
}

/** Marks the span as failed if a result has errors. Returns the result. */
function seen<T>(result: T, span: RunningSpan | undefined): T {
  const [error] = (result as { readonly errors?: readonly unknown[] }).errors ?? [];
  if (error !== undefined) failSpan(span, error);
  return result;
}

/**
 * Marks a span as failed. graphql-js quotes the value in errors about a value that does not fit its
 * type. The span gets a message without the value, because it may be personal data.
 */
export function failSpan(span: RunningSpan | undefined, error: unknown): void {
  span?.fail(error instanceof GraphQLError ? withoutValue(error) : error);
}

function withoutValue(error: GraphQLError): GraphQLError {
  if (isResultFault(error)) return new GraphQLError(BAD_RESULT);
  return error.path === undefined && quotesInput(error) ? new GraphQLError(BAD_INPUT) : error;
}

const BAD_RESULT = 'A resolver returned a value that does not fit its type';
const BAD_INPUT = 'A variable or a literal does not fit its type';

/** Returns true for an error about a variable of the client or a literal of its document. */
function quotesInput({ message, nodes = [] }: GraphQLError): boolean {
  return (
    /^Variable "\$\w+" (got|has) invalid value/.test(message) ||
    nodes.some(({ kind }) => kind.endsWith('Value'))
  );
}
