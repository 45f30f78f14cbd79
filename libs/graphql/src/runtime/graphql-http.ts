import { type ExecutionResult, GraphQLError, OperationTypeNode } from 'graphql';
import { createHandler, type HandlerOptions, type Request } from 'graphql-http';
import type { ServerResponse } from 'node:http';
import { type Answer, batcher, batchIn, send } from './batch-requests.js';
import { commonRequest } from './common-request.js';
import { type GraphqlHttpOptions, readHttpOptions } from './graphql-http-options.js';
import { paramsOf } from './request-params.js';
import { type Args, kindOf, type ParsedRequest, type Prepared, prepare } from './prepare.js';
import type { GraphqlRuntime, GraphqlRuntimeDeps } from './runtime.js';
import { streamer } from './stream-requests.js';

type HttpRequest = Request<ParsedRequest, Outcome>;
type Options = HandlerOptions<ParsedRequest, Outcome, Record<PropertyKey, unknown>>;

interface Outcome {
  readonly res: ServerResponse;
  /** Undefined until graphql-http asks for it. */
  readonly prepared: Prepared | undefined;
  failed: boolean;
}

/**
 * The default runtime: graphql-http, which implements the GraphQL over HTTP specification. Accepts JSON only:
 * GET for queries, POST for queries and mutations. Answers JSON; by option also events, and batches.
 * @throws GraphqlOptionError
 */
export function graphqlHttp(options: GraphqlHttpOptions = {}): GraphqlRuntime {
  const { eventStreams, batch } = readHttpOptions(options);
  return Object.assign(
    (deps: GraphqlRuntimeDeps) => handlerOf(deps, eventStreams?.heartbeatMs, batch?.limit),
    {
      counts: true,
      documents: true,
      streams: eventStreams !== undefined,
      library: 'graphql-http',
    },
  );
}

/**
 * @param heartbeatMs undefined without event streams
 * @param batchLimit undefined without batches
 */
function handlerOf(
  deps: GraphqlRuntimeDeps,
  heartbeatMs: number | undefined,
  batchLimit: number | undefined,
) {
  const answerOf = answerer(deps);
  const stream = heartbeatMs === undefined ? undefined : streamer(deps, heartbeatMs);
  const serveBatch = batchLimit === undefined ? undefined : batcher(deps, batchLimit, answerOf);
  return (req: ParsedRequest, res: ServerResponse): void | Promise<void> => {
    const common = commonRequest(req, deps.documents);
    if (common === undefined) return serveUncommon(req, res);
    const prepared = prepare(common.params, { req, res }, deps);
    const kind = 'schema' in prepared ? kindOf(prepared) : undefined;
    // graphql-http words the errors before execution.
    if (!('schema' in prepared) || kind === undefined || kind === OperationTypeNode.SUBSCRIPTION) {
      return serveAny(req, res, prepared);
    }
    deps.counts.started(kind);
    return serveCommon(prepared, { res, type: common.type }, deps);
  };

  function serveUncommon(req: ParsedRequest, res: ServerResponse): Promise<void> {
    const batch = serveBatch && batchIn(req);
    if (batch !== undefined) return serveBatch!(req, res, batch);
    return stream?.(req, res, () => serveAny(req, res)) ?? serveAny(req, res);
  }

  async function serveAny(req: ParsedRequest, res: ServerResponse, prepared?: Prepared) {
    const { response, failed } = await answerOf(req, res, req.body, prepared);
    if (failed) deps.counts.failed();
    send(res, response);
  }
}

/** Returns a function that answers a request, or one operation of a batch, by graphql-http. */
function answerer(deps: GraphqlRuntimeDeps) {
  const handle = createHandler(optionsOf(deps));
  return async (
    req: ParsedRequest,
    res: ServerResponse,
    body: unknown,
    prepared?: Prepared,
  ): Promise<Answer> => {
    const outcome: Outcome = { res, prepared, failed: false };
    const response = await handle({
      method: req.method ?? 'GET',
      url: req.url ?? '/',
      headers: req.headers,
      body: body as HttpRequest['body'],
      raw: req,
      context: outcome,
    });
    return { response, failed: outcome.failed || response[1].status >= 400 };
  };
}

/** Executes a usual request and answers it as graphql-http does, in a fraction of its time. */
function serveCommon(
  args: Args,
  { res, type }: { readonly res: ServerResponse; readonly type: string },
  { counts, tracer, execute, protection }: GraphqlRuntimeDeps,
): void | Promise<void> {
  const result = tracer.run(args, () => execute(args));
  return result instanceof Promise ? result.then(send) : send(result);

  function send(result: ExecutionResult): void {
    const { errors } = result;
    if (errors !== undefined && errors.length > 0) counts.failed();
    const format = (error: GraphQLError) => protection.format(error);
    const answer = errors === undefined ? result : { ...result, errors: errors.map(format) };
    // As graphql-http does, whatever middleware has set.
    res.statusCode = 200;
    res.setHeader('content-type', type);
    res.end(JSON.stringify(answer));
  }
}

function optionsOf(deps: GraphqlRuntimeDeps): Options {
  const { protection, counts, tracer, execute } = deps;
  return {
    parseRequestParams: (req) => paramsOf(req, deps),
    onSubscribe: ({ raw, context }, params) => {
      // If this function or graphql-http refuses the request, onOperation is not called.
      context.failed = true;
      return context.prepared ?? prepare(params, { req: raw, res: context.res }, deps);
    },
    execute: (args) => {
      const kind = kindOf(args);
      if (kind !== undefined) counts.started(kind);
      return tracer.run(args, () => execute(args));
    },
    onOperation: (req, _args, { errors }) => {
      req.context.failed = errors !== undefined && errors.length > 0;
    },
    // The result is written as JSON, so the type's `Error` is not needed. Errors of other classes are
    // graphql-http's own texts about a request.
    formatError: (error) =>
      (error instanceof GraphQLError || error instanceof RangeError
        ? protection.format(error)
        : error) as Error,
  };
}
