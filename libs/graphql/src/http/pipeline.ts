import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  getOperationAST,
  GraphQLError,
  type GraphQLSchema,
  OperationTypeNode,
  subscribe,
} from 'graphql';
import type { ServerResponse } from 'node:http';
import { DocumentRefusal } from '../documents/automatic-documents.js';
import { asGraphqlError, unknownOperation } from '../operation/formatted-error.js';
import type { OperationProtection } from '../operation/served-schema.js';
import {
  type Accepted,
  answerOf,
  headOf,
  isError,
  isSafe,
  JSON_TYPE,
  type Outcome,
  readAccept,
  Refusal,
  refuse,
  writeEvents,
  writeJson,
} from './answer.js';
import {
  type BodyRequest,
  type Exchange,
  type OperationRequest,
  readParameters,
  readRequest,
} from './read-request.js';
import type { GraphqlRuntimeDeps, OperationResult } from './runtime.js';

interface PipelineOptions {
  readonly eventStreams: { readonly heartbeatMs: number } | undefined;
  readonly batch: { readonly limit: number } | undefined;
  readonly jsonStatus: 'ok' | 'exact';
}

interface Executed {
  readonly kind: OperationTypeNode;
  readonly result: OperationResult;
}

type Ended = Executed | Refusal;

/** Serves requests in steps: read the request, find the document, check, execute, respond. */
export class HttpPipeline {
  constructor(
    private readonly deps: GraphqlRuntimeDeps,
    private readonly options: PipelineOptions,
  ) {}

  serve(req: BodyRequest, res: ServerResponse): void | Promise<void> {
    const { eventStreams, batch } = this.options;
    const { json, stream } = readAccept(req.headers.accept);
    const exchange = { req, res, accepted: { json, stream: eventStreams && stream } };
    const answer = (ended: Ended) => this.answer(ended, exchange);
    const answerRefusal = (error: unknown) => {
      const refusal = refusalIn(error);
      if (refusal === undefined) throw error;
      return answer(refusal);
    };
    try {
      const request = readRequest(exchange, batch?.limit);
      if (Array.isArray(request)) return this.serveBatch(request, exchange);
      const ended = this.run(request, exchange);
      return ended instanceof Promise ? ended.then(answer, answerRefusal) : answer(ended);
    } catch (error) {
      return answerRefusal(error);
    }
  }

  /**
   * Runs the steps from finding the document to the execution.
   * @throws Refusal, DocumentRefusal
   */
  private run(request: OperationRequest, exchange: Exchange): Executed | Promise<Executed> {
    const { deps } = this;
    return next(deps.documents.textOf(request), (found) => {
      // An empty text is not rejected here, because parsing then reports a syntax error.
      const text = found ?? request.query ?? refuse('malformed', 'Missing query', 'BAD_REQUEST');
      const operation = checkOperation(text, request, exchange, deps);
      const { kind } = operation;
      if (kind === OperationTypeNode.SUBSCRIPTION) this.refuseUnstreamed(exchange);
      return next(executeOperation(operation, exchange, deps), (result) => ({ kind, result }));
    });
  }

  /** @throws Refusal if the response to a subscription cannot be an event stream */
  private refuseUnstreamed({ req, accepted }: Exchange): void {
    const { eventStreams } = this.options;
    // A response to HEAD has no body. Its head would only be sent at the end of the stream.
    const isPossible = eventStreams && !Array.isArray(req.body) && req.method !== 'HEAD';
    if (isPossible && accepted.stream !== undefined) return;
    const message = isPossible
      ? 'Subscriptions require an event stream. Send the header Accept: text/event-stream'
      : 'Subscriptions are not supported';
    refuse('unsupportedOperation', message);
  }

  private answer(ended: Ended, { req, res, accepted }: Exchange): void | Promise<void> {
    const { protection, counts } = this.deps;
    const { eventStreams, jsonStatus } = this.options;
    if (eventStreams && isStreamed(ended, accepted)) {
      const result = ended instanceof Refusal ? { errors: ended.errors } : ended.result;
      return writeEvents(res, result, eventStreams.heartbeatMs, this.deps);
    }
    const { outcome, json } = answerOf(resultOf(ended), protection);
    if (isError(outcome)) counts.failed();
    writeJson({ req, res }, headOf(outcome, accepted.json ?? JSON_TYPE, jsonStatus), json);
  }

  /** Runs the operations of a batch concurrently. If one fails, the others still run. */
  private async serveBatch(
    operations: readonly unknown[],
    { req, res, accepted }: Exchange,
  ): Promise<void> {
    const { counts, protection } = this.deps;
    const exchange = { req, res, accepted: { ...accepted, stream: undefined } };
    const results = await Promise.all(
      operations.map(async (operation) => {
        try {
          const ended = await this.run(readParameters(operation), exchange);
          return answerOf(resultOf(ended), protection);
        } catch (error) {
          return answerOf(refusalIn(error) ?? { errors: [asGraphqlError(error)] }, protection);
        }
      }),
    );
    for (const { outcome } of results) if (isError(outcome)) counts.failed();
    const type = accepted.json ?? JSON_TYPE;
    writeJson({ req, res }, { status: 200, type }, `[${results.map(({ json }) => json).join()}]`);
  }
}

/** If a client prefers event streams, a rejection at this point is sent as an event. */
const EVENTS = new Set<Outcome>(['syntaxError', 'invalid', 'unknownOperation']);

function isStreamed(ended: Ended, { stream }: Accepted): boolean {
  if (ended instanceof Refusal) return stream === 'preferred' && EVENTS.has(ended.outcome);
  return stream === 'preferred' || ended.kind === OperationTypeNode.SUBSCRIPTION;
}

function resultOf(ended: Ended): ExecutionResult | Refusal {
  // This is a single result. A subscription without an event stream was already rejected.
  return ended instanceof Refusal ? ended : (ended.result as ExecutionResult);
}

/**
 * Runs the next step. If the value is not a promise, the step runs synchronously. While async
 * storages are used, a promise takes Node.js 20 about as long as a small resolver.
 */
function next<T, R>(value: T | Promise<T>, step: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(step) : step(value);
}

/** Returns undefined for an error that does not reject the request. */
function refusalIn(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error;
  if (!(error instanceof DocumentRefusal)) return undefined;
  return new Refusal(error.status === 200 ? 'unknownDocument' : 'refusedDocument', [error]);
}

interface CheckedOperation {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly kind: OperationTypeNode;
  readonly request: OperationRequest;
}

/**
 * Parses and validates a document, and compares it with the limits.
 * @throws Refusal if this request may not execute the operation
 */
function checkOperation(
  text: string,
  request: OperationRequest,
  { req }: Exchange,
  { schema: served, protection }: GraphqlRuntimeDeps,
): CheckedOperation {
  const document = parsed(text, protection);
  const schema = served();
  const errors = protection.validate(schema, document, request);
  if (errors.length > 0) throw new Refusal('invalid', errors);
  const kind = getOperationAST(document, request.operationName)?.operation;
  if (kind === undefined) {
    throw new Refusal('unknownOperation', [unknownOperation(request.operationName)]);
  }
  if (kind === OperationTypeNode.MUTATION && isSafe(req)) {
    refuse('mutationByGet', 'Cannot perform mutations over GET', 'METHOD_NOT_ALLOWED');
  }
  return { schema, document, kind, request };
}

function parsed(text: string, protection: OperationProtection): DocumentNode {
  try {
    return protection.parse(text);
  } catch (error) {
    throw error instanceof GraphQLError ? new Refusal('syntaxError', [error]) : error;
  }
}

/** Executes an operation in the context of its request and in a span, and counts the operation. */
function executeOperation(
  { schema, document, kind, request }: CheckedOperation,
  { req, res }: Exchange,
  deps: GraphqlRuntimeDeps,
): OperationResult | Promise<OperationResult> {
  const { counts, execute, tracer, rootValue, contextOf } = deps;
  const args: ExecutionArgs = {
    schema,
    document,
    operationName: request.operationName,
    variableValues: request.variables,
    rootValue,
    contextValue: contextOf(req, res),
  };
  counts.started(kind);
  if (kind !== OperationTypeNode.SUBSCRIPTION) return tracer.run(args, () => execute(args));
  return deps.subscribe(req, res, () =>
    tracer.run<OperationResult>(args, () => subscribe(args) as Promise<OperationResult>),
  );
}
