import { inSpan, type RunningSpan } from '@fledge/core/packages';
import { Inject, Injectable } from '@nestjs/common';
import { type DocumentNode, getOperationAST, GraphQLError, type GraphQLSchema } from 'graphql';
import type { ServerResponse } from 'node:http';
import { LimitCheck } from '../limits/operation-limits.js';
import { NEST_OPTIONS } from '../nest-graphql-modules.js';
import {
  failSpan,
  operationAttributesOf,
  OperationCounts,
  SCOPE,
} from '../operation/operation-telemetry.js';
import { watchScalars } from '../operation/returned-value-errors.js';
import type { ReadNestOptions } from '../graphql.defaults.js';

/** Counts the HTTP operations of Mercurius, applies limits to them, and creates their spans. */
@Injectable()
export class MercuriusOperations {
  /** The number of operations that reached Mercurius, by the context of their request. */
  private readonly requests = new WeakMap<object, { arrived: number }>();
  private readonly spans = new WeakMap<object, RunningSpan>();

  constructor(
    private readonly counts: OperationCounts,
    @Inject(NEST_OPTIONS) private readonly options: ReadNestOptions,
  ) {}

  /**
   * Counts the errors of requests that never reach Mercurius, for example because of invalid JSON.
   */
  follow(context: object, response: ServerResponse): void {
    const request = { arrived: 0 };
    this.requests.set(context, request);
    response.once('finish', () => {
      const { operationsCount = 1 } = context as MercuriusContext;
      for (let missing = operationsCount - request.arrived; missing > 0; missing -= 1) {
        this.counts.failed();
      }
    });
  }

  /**
   * Call this once, before requests arrive.
   * @throws MissingPeerError if `limits.cost` is set and its package is missing
   * @throws UnfitPeerError if the package is unsuitable
   */
  async watch(instance: MercuriusInstance): Promise<void> {
    const limits = new LimitCheck(this.options.limits);
    await limits.load();
    instance.graphql.addHook('preExecution', (schema, document, context, variables) => {
      // Runs after Mercurius has parsed and validated the document.
      watchScalars(schema);
      const operationName = operationNameIn(context);
      const error = limits.check(schema, document, { operationName, variables });
      if (error !== undefined) return Promise.reject(new LimitRefusal(error));
      this.started(document, operationName, context);
      return Promise.resolve();
    });
    aroundOperations(instance, (context, run) => this.observed(context, run));
  }

  private started(document: DocumentNode, name: string | undefined, context: object): void {
    const operation = getOperationAST(document, name);
    if (!operation) return;
    this.counts.started(operation.operation);
    const span = this.spans.get(context);
    span?.rename(operation.operation);
    span?.set(operationAttributesOf(operation, this.options.traceDocument ? document : undefined));
  }

  /**
   * Counts an operation, and runs it in a span. The span starts before Mercurius parses the
   * document, so that resolvers run inside the span.
   */
  private async observed(context: MercuriusContext, run: Run): Promise<MercuriusResult> {
    // In a batch, each operation has its own context. The prototype of this context is the context
    // of the request.
    const request =
      this.requests.get(context) ?? this.requests.get(Object.getPrototypeOf(context) as object);
    if (request !== undefined) request.arrived += 1;
    // The span name in the OpenTelemetry conventions for an operation of unknown type.
    const start = { scope: SCOPE, kind: 'server', name: 'GraphQL Operation' } as const;
    const outcome = await inSpan(start, async (span) => {
      if (span !== undefined) this.spans.set(context, span);
      try {
        const result = await run();
        const [error] = result.errors ?? [];
        if (error !== undefined) this.failed(span, asError(error));
        return { result };
      } catch (refusal) {
        this.failed(span, causeOf(refusal));
        return { refusal };
      }
    });
    if (outcome.result === undefined) throw outcome.refusal;
    return outcome.result;
  }

  private failed(span: RunningSpan | undefined, error: unknown): void {
    this.counts.failed();
    failSpan(span, error);
  }
}

function asError({ message, path }: FormattedError): GraphQLError {
  return new GraphQLError(message, { ...(path && { path }) });
}

/** Returns the first error of a rejected document. Mercurius puts all its errors into one error. */
function causeOf(refusal: unknown): unknown {
  const { errors } = (refusal ?? {}) as { readonly errors?: unknown };
  return Array.isArray(errors) && errors.length > 0 ? errors[0] : refusal;
}

/** Has the same properties as the error of Mercurius for a rejected document. */
class LimitRefusal extends Error {
  readonly code = 'MER_ERR_GQL_VALIDATION';
  readonly statusCode = 400;
  readonly errors: readonly GraphQLError[];

  constructor(error: GraphQLError) {
    super(error.message);
    this.errors = [error];
  }
}

type Run = () => Promise<MercuriusResult>;

/**
 * Runs a function around each operation. Hooks cannot do this, because they end before the
 * operation is executed.
 * @param around receives the context of the operation, like a hook
 */
function aroundOperations(
  instance: MercuriusInstance,
  around: (context: MercuriusContext, run: Run) => Promise<MercuriusResult>,
): void {
  // A proxy keeps the other properties of `graphql`, such as `addHook`.
  instance.graphql = new Proxy(instance.graphql, {
    apply(graphql, self, [source, given, ...more]: Parameters<Mercurius>) {
      const context = given ?? {};
      return around(context, () => Reflect.apply(graphql, self, [source, context, ...more]));
    },
  });
}

function operationNameIn({ reply, operationId = 0 }: MercuriusContext): string | undefined {
  const { body, query } = reply?.request ?? {};
  const members: unknown = Array.isArray(body) ? body[operationId] : (body ?? query);
  const { operationName } = (members ?? {}) as { readonly operationName?: unknown };
  return typeof operationName === 'string' ? operationName : undefined;
}

/** The Fastify instance on which Mercurius is registered. */
export interface MercuriusInstance {
  graphql: Mercurius;
}

/**
 * The properties of Mercurius that are used here. The types of Mercurius are not imported, because
 * the package may not be installed.
 */
interface Mercurius {
  /**
   * Executes every operation, including HTTP operations. Rejects if Mercurius rejects the
   * operation.
   */
  (source: unknown, context?: MercuriusContext, ...more: unknown[]): Promise<MercuriusResult>;
  addHook(name: 'preExecution', hook: PreExecution): void;
}

type PreExecution = (
  schema: GraphQLSchema,
  document: DocumentNode,
  context: MercuriusContext,
  variables: Readonly<Record<string, unknown>> | null | undefined,
) => Promise<void>;

/**
 * The context of an operation: the result of the context function, and the reply that Mercurius
 * adds.
 */
interface MercuriusContext {
  readonly reply?: { readonly request: { readonly body?: unknown; readonly query?: unknown } };
  /** Index of the operation in a batch. */
  readonly operationId?: number;
  /** Number of operations in a batch. */
  readonly operationsCount?: number;
}

/** A result after `errorFormatter` ran. */
interface MercuriusResult {
  readonly errors?: readonly FormattedError[];
}

/** An error of a response. */
interface FormattedError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
}
