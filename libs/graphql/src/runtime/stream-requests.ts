import { GraphQLError, OperationTypeNode, subscribe } from 'graphql';
import { parseRequestParams, type Request, type Response } from 'graphql-http';
import type { ServerResponse } from 'node:http';
import { acceptedStream } from './accepts-stream.js';
import { type Args, kindOf, type ParsedRequest, prepare } from './prepare.js';
import { paramsOf } from './request-params.js';
import type { GraphqlRuntimeDeps, OperationResult } from './runtime.js';
import { sendEvents } from './send-events.js';

/** Returns a function that answers requests of clients that accept event streams; undefined for other requests. */
export function streamer(deps: GraphqlRuntimeDeps, heartbeatMs: number) {
  const { counts, protection, tracer, execute } = deps;
  const events = {
    heartbeatMs,
    format: (error: Error) => protection.format(error),
    failed: () => counts.failed(),
  };

  return (req: ParsedRequest, res: ServerResponse, asJson: () => Promise<void>) => {
    const accepted = acceptedStream(req.headers.accept);
    return accepted && stream(req, res, accepted === 'possible' ? asJson : undefined);
  };

  /** @param asJson answers queries and mutations of clients that prefer JSON */
  async function stream(req: ParsedRequest, res: ServerResponse, asJson?: () => Promise<void>) {
    const params = await readParams(req, deps);
    if (!('query' in params)) return refuse(params, res, deps);
    const prepared = prepare(params, { req, res }, deps);
    if (!('schema' in prepared)) return sendEvents(res, { errors: prepared }, events);
    const kind = kindOf(prepared);
    if (kind === undefined) return sendEvents(res, { errors: [noOperation()] }, events);
    if (kind !== OperationTypeNode.SUBSCRIPTION && asJson !== undefined) return asJson();
    if (kind === OperationTypeNode.MUTATION && req.method === 'GET') {
      return refuse([null, { status: 405, statusText: '', headers: { allow: 'POST' } }], res, deps);
    }
    counts.started(kind);
    return sendEvents(res, await resultOf(kind, prepared, { req, res }), events);
  }

  function resultOf(
    kind: OperationTypeNode,
    args: Args,
    { req, res }: { readonly req: ParsedRequest; readonly res: ServerResponse },
  ): OperationResult | Promise<OperationResult> {
    if (kind !== OperationTypeNode.SUBSCRIPTION) return tracer.run(args, () => execute(args));
    return deps.subscribe(req, res, () =>
      tracer.run<OperationResult>(args, () => subscribe(args) as Promise<OperationResult>),
    );
  }
}

function noOperation(): GraphQLError {
  return new GraphQLError('Unable to detect operation AST');
}

/** Reads and checks the members of a request. Returns the answer to a malformed one. */
async function readParams(req: ParsedRequest, deps: GraphqlRuntimeDeps) {
  const request: Request<ParsedRequest, undefined> = {
    method: req.method ?? 'GET',
    url: req.url ?? '/',
    headers: req.headers,
    body: req.body as Request<ParsedRequest, undefined>['body'],
    raw: req,
    context: undefined,
  };
  try {
    return (await paramsOf(request, deps)) ?? (await parseRequestParams(request));
  } catch (error) {
    // graphql-http throws its own texts about a request.
    const body = JSON.stringify({ errors: [{ message: (error as Error).message }] });
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    return [body, { status: 400, statusText: 'Bad Request', headers }] satisfies Response;
  }
}

function refuse([body, init]: Response, res: ServerResponse, deps: GraphqlRuntimeDeps): void {
  if (init.status >= 400) deps.counts.failed();
  res.writeHead(init.status, init.headers);
  res.end(body ?? undefined);
}
