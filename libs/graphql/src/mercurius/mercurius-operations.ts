import { inSpan, openTelemetry, type RunningSpan } from '@fledge/core/packages';
import { Inject, Injectable } from '@nestjs/common';
import { type DocumentNode, getOperationAST, GraphQLError, type GraphQLSchema } from 'graphql';
import type { ServerResponse } from 'node:http';
import { LimitCheck } from '../limits/operation-limits.js';
import { NEST_OPTIONS } from '../nest-graphql-modules.js';
import { OperationCounts } from '../operation/operation-counts.js';
import { operationAttributesOf, SCOPE } from '../operation/operation-spans.js';
import { watchScalars } from '../operation/result-fault.js';
import type { ReadNestOptions } from '../graphql.defaults.js';

/** Counts the operations of Mercurius over HTTP, applies limits to them, and gives each a span. */
@Injectable()
export class MercuriusOperations {
  /** Requests by their contexts, with the number of their operations that came to Mercurius. */
  private readonly requests = new WeakMap<object, { arrived: number }>();
  private readonly spans = new WeakMap<object, RunningSpan>();

  constructor(
    private readonly counts: OperationCounts,
    @Inject(NEST_OPTIONS) private readonly options: ReadNestOptions,
  ) {}

  /** Counts the operations of a request that do not come to Mercurius as errors, such as those of malformed JSON. */
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
   * Call it once, before requests arrive.
   * @throws MissingPeerError, UnfitPeerError for `limits.cost` without its package
   */
  async watch(instance: MercuriusInstance): Promise<void> {
    const check = new LimitCheck(this.options.limits);
    await check.load();
    instance.graphql.addHook('preExecution', (schema, document, context, variables) => {
      // Mercurius has parsed and validated the document.
      watchScalars(schema);
      const operationName = operationNameIn(context);
      const error =
        check.beforeValidation(document, { operationName }) ??
        check.afterValidation(schema, document, { operationName, variables });
      if (error !== undefined) return Promise.reject(new LimitRefusal(error));
      this.started(document, operationName, context);
      return Promise.resolve();
    });
    aroundOperations(instance, (context, run) =>
      this.traced(context, () => this.counted(context, run)),
    );
  }

  private started(document: DocumentNode, name: string | undefined, context: object): void {
    const operation = getOperationAST(document, name);
    if (!operation) return;
    this.counts.started(operation.operation);
    const span = this.spans.get(context);
    span?.rename(operation.operation);
    span?.set(operationAttributesOf(operation, this.options.traceDocument ? document : undefined));
  }

  private async counted(context: MercuriusContext, run: Run): Promise<MercuriusResult> {
    // In a batch, the context of an operation inherits from the context of the request.
    const request =
      this.requests.get(context) ?? this.requests.get(Object.getPrototypeOf(context) as object);
    if (request !== undefined) request.arrived += 1;
    try {
      const result = await run();
      if (result.errors !== undefined && result.errors.length > 0) this.counts.failed();
      return result;
    } catch (error) {
      this.counts.failed();
      throw error;
    }
  }

  /** The span begins before Mercurius parses the document, so that resolvers run in it. */
  private async traced(context: MercuriusContext, run: Run): Promise<MercuriusResult> {
    if (openTelemetry() === undefined) return run();
    // The conventions' name for an operation of unknown type.
    const start = { scope: SCOPE, kind: 'server', name: 'GraphQL Operation' } as const;
    const outcome = await inSpan(start, async (span) => {
      if (span !== undefined) this.spans.set(context, span);
      try {
        const result = await run();
        const [error] = result.errors ?? [];
        if (error !== undefined) span?.fail(new GraphQLError(error.message));
        return { result };
      } catch (refusal) {
        span?.fail(causeOf(refusal));
        return { refusal };
      }
    });
    if (outcome.result === undefined) throw outcome.refusal;
    return outcome.result;
  }
}

/** Returns the first error of a refused document. Mercurius reports them inside one error. */
function causeOf(refusal: unknown): unknown {
  const { errors } = (refusal ?? {}) as { readonly errors?: unknown };
  return Array.isArray(errors) && errors.length > 0 ? errors[0] : refusal;
}

/** Has the form of Mercurius' own error for a document that it rejects. */
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
 * Runs a function around each operation. Hooks cannot do that: they end before the operation is executed.
 * @param around gets the context of the operation, as hooks do
 */
function aroundOperations(
  instance: MercuriusInstance,
  around: (context: MercuriusContext, run: Run) => Promise<MercuriusResult>,
): void {
  // A proxy has the other members of `graphql`, such as `addHook`.
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

/** The Fastify instance with which Mercurius is registered. */
export interface MercuriusInstance {
  graphql: Mercurius;
}

/** The members of Mercurius that are used here. Applications without Mercurius do not have its types. */
interface Mercurius {
  /** Executes each operation, also over HTTP. Rejects if Mercurius refuses the operation. */
  (source: unknown, context?: MercuriusContext, ...more: unknown[]): Promise<MercuriusResult>;
  addHook(name: 'preExecution', hook: PreExecution): void;
}

type PreExecution = (
  schema: GraphQLSchema,
  document: DocumentNode,
  context: MercuriusContext,
  variables: Readonly<Record<string, unknown>> | null | undefined,
) => Promise<void>;

/** The context of an operation. Mercurius adds the reply to what the context function returns. */
interface MercuriusContext {
  readonly reply?: { readonly request: { readonly body?: unknown; readonly query?: unknown } };
  /** Index of the operation in a batch. */
  readonly operationId?: number;
  /** Number of operations in a batch. */
  readonly operationsCount?: number;
}

/** A result, after `errorFormatter`. */
interface MercuriusResult {
  readonly errors?: readonly { readonly message: string }[];
}
