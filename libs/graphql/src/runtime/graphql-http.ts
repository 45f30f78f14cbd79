import { type ExecutionResult, GraphQLError, OperationTypeNode } from 'graphql';
import { createHandler, type HandlerOptions, type Request } from 'graphql-http';
import type { ServerResponse } from 'node:http';
import { commonRequest } from './common-request.js';
import { paramsOf } from './request-params.js';
import { type Args, kindOf, type ParsedRequest, type Prepared, prepare } from './prepare.js';
import type { GraphqlRuntime, GraphqlRuntimeDeps } from './runtime.js';
import { type GraphqlHttpOptions, heartbeatOf, streamer } from './stream-requests.js';

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
 * GET for queries, POST for queries and mutations, one operation per request. Answers JSON, and events by
 * option.
 * @throws GraphqlOptionError
 */
export function graphqlHttp(options: GraphqlHttpOptions = {}): GraphqlRuntime {
  const heartbeatMs = heartbeatOf(options);
  return Object.assign((deps: GraphqlRuntimeDeps) => handlerOf(deps, heartbeatMs), {
    counts: true,
    documents: true,
    streams: heartbeatMs !== undefined,
    library: 'graphql-http',
  });
}

/** @param heartbeatMs undefined without event streams */
function handlerOf(deps: GraphqlRuntimeDeps, heartbeatMs: number | undefined) {
  const handle = createHandler(optionsOf(deps));
  const stream = heartbeatMs === undefined ? undefined : streamer(deps, heartbeatMs);
  return (req: ParsedRequest, res: ServerResponse): void | Promise<void> => {
    const common = commonRequest(req, deps.documents);
    if (common === undefined) {
      return stream?.(req, res, () => serveAny(req, res)) ?? serveAny(req, res);
    }
    const prepared = prepare(common.params, { req, res }, deps);
    const kind = 'schema' in prepared ? kindOf(prepared) : undefined;
    // graphql-http words the errors before execution.
    if (!('schema' in prepared) || kind === undefined || kind === OperationTypeNode.SUBSCRIPTION) {
      return serveAny(req, res, prepared);
    }
    deps.counts.started(kind);
    return serveCommon(prepared, { res, type: common.type }, deps);
  };

  async function serveAny(req: ParsedRequest, res: ServerResponse, prepared?: Prepared) {
    const outcome: Outcome = { res, prepared, failed: false };
    const [body, init] = await handle({
      method: req.method ?? 'GET',
      url: req.url ?? '/',
      headers: req.headers,
      body: req.body as HttpRequest['body'],
      raw: req,
      context: outcome,
    });
    if (outcome.failed || init.status >= 400) deps.counts.failed();
    res.statusCode = init.status;
    res.statusMessage = init.statusText;
    for (const [name, value] of Object.entries(init.headers ?? {})) res.setHeader(name, value);
    res.end(body ?? undefined);
  }
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
