import { type ExecutionArgs, type ExecutionResult, OperationTypeNode, subscribe } from 'graphql';
import type { ServerResponse } from 'node:http';
import { asGraphqlError } from '../operation/formatted-error.js';
import { DocumentRefusal } from '../documents/automatic-documents.js';
import type { ServedSchema } from '../operation/served-schema.js';
import { answerOf, writeEvents, writeJson } from './answer.js';
import { type CheckedOperation, checkOperation } from './check.js';
import {
  type Accepted,
  type Exchange,
  type OperationRequest,
  type ParsedRequest,
  readAccept,
  readRequest,
} from './read.js';
import type { GraphqlRuntimeDeps, OperationResult } from './runtime.js';
import {
  headOf,
  isError,
  JSON_TYPE,
  type JsonStatus,
  type Outcome,
  Refusal,
  refuse,
} from './status.js';

interface PipelineOptions {
  readonly eventStreams: { readonly heartbeatMs: number } | undefined;
  readonly batch: { readonly limit: number } | undefined;
  readonly jsonStatus: JsonStatus;
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

  serve(req: ParsedRequest, res: ServerResponse): void | Promise<void> {
    const { eventStreams, batch } = this.options;
    const { json, stream } = readAccept(req.headers.accept);
    const exchange = { req, res, accepted: { json, stream: eventStreams && stream } };
    const request = readRequest(exchange, batch?.limit);
    if (Array.isArray(request)) return this.serveBatch(request, exchange);
    return next(this.run(request, exchange), (ended) => this.answer(ended, exchange));
  }

  /** Runs the steps from finding the document to the execution. */
  private run(request: OperationRequest | Refusal, exchange: Exchange): Ended | Promise<Ended> {
    const { deps } = this;
    if (request instanceof Refusal) return request;
    return next(findDocument(request, deps), (text) => {
      if (text instanceof Refusal) return text;
      const operation = checkOperation(text, request, exchange, deps);
      if (operation instanceof Refusal) return operation;
      const { kind } = operation;
      return next(executeOperation(operation, exchange, deps), (result) => ({ kind, result }));
    });
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
    requests: readonly (OperationRequest | Refusal)[],
    { req, res, accepted }: Exchange,
  ): Promise<void> {
    const { counts, protection } = this.deps;
    const exchange = { req, res, accepted: { ...accepted, stream: undefined } };
    const results = await Promise.all(
      requests.map(async (request) => {
        try {
          return answerOf(resultOf(await this.run(request, exchange)), protection);
        } catch (error) {
          return answerOf({ errors: [asGraphqlError(error)] }, protection);
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

/**
 * Returns the text of a request's document. The text is in the request, or it is found by the
 * document's id.
 */
function findDocument(
  request: OperationRequest,
  { documents }: Pick<ServedSchema, 'documents'>,
): string | Refusal | Promise<string | Refusal> {
  try {
    const found = documents.textOf(request);
    if (!(found instanceof Promise)) return textOr(found);
    return found.then(textOr, refuseDocument);
  } catch (error) {
    return refuseDocument(error);
  }

  /**
   * Rejects a missing text. An empty text is not rejected here, because parsing then reports a
   * syntax error.
   */
  function textOr(text: string | undefined): string | Refusal {
    return text ?? request.query ?? refuse('malformed', 'Missing query', 'BAD_REQUEST');
  }
}

/**
 * Converts an error about the document to a rejection.
 * @throws any other error unchanged
 */
function refuseDocument(error: unknown): Refusal {
  if (!(error instanceof DocumentRefusal)) throw error;
  return new Refusal(error.status === 200 ? 'unknownDocument' : 'refusedDocument', [error]);
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
