import { HttpException, type HttpServer } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tooLarge } from './request-body.js';

/** Answers a request whose body the platform's own parser refused. */
export type ParserErrorHandler = (
  error: HttpException,
  req: IncomingMessage,
  res: ServerResponse,
) => void;

/**
 * Has the errors of the platform's body parser, at the path of a mount, answered by the mount:
 * the parser stands before it, and Nest would answer in its own form. All other errors go on.
 */
export function takeParserErrors(
  adapter: HttpServer,
  path: string,
  handle: ParserErrorHandler,
): void {
  if (adapter.getType() === 'fastify') onFastify(adapter, path, handle);
  else onExpress(adapter, path, handle);
}

function onExpress(adapter: HttpServer, path: string, handle: ParserErrorHandler): void {
  // Express takes a function of four parameters for an error handler, and `use` the paths below too.
  const middleware = (
    error: ParserError,
    req: IncomingMessage,
    res: ServerResponse,
    next: (error: unknown) => void,
  ) => {
    const exception = req.url?.split('?', 1)[0] === '/' ? exceptionOf(error) : undefined;
    if (exception === undefined) next(error);
    else handle(exception, req, res);
  };
  (adapter as { use(path: string, handler: typeof middleware): unknown }).use(path, middleware);
}

/** Only of a mount that is a route: as middleware, it comes before Fastify's parser. */
function onFastify(adapter: HttpServer, path: string, handle: ParserErrorHandler): void {
  const instance = adapter.getInstance() as FastifyInstance;
  instance.addHook('onRoute', (route) => {
    if (route.url !== path) return;
    route.errorHandler = (error, request, reply) => {
      const exception = exceptionOf(error);
      if (exception === undefined) return void reply.send(error);
      sendOnFastify(reply, () => handle(exception, request.raw, reply.raw));
    };
  });
}

/** Lets something answer with Node's own response, under the headers that Fastify's hooks have set. */
export function sendOnFastify(reply: FastifyReply, send: () => void): void {
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
  send();
}

/** The parts of Fastify that are used, which may not be installed. */
export interface FastifyReply {
  readonly raw: ServerResponse;
  hijack(): void;
  getHeaders(): Record<string, number | string | string[] | undefined>;
  send(payload: unknown): void;
}

interface FastifyInstance {
  addHook(name: 'onRoute', hook: (route: FastifyRoute) => void): void;
}

interface FastifyRoute {
  readonly url: string;
  errorHandler?(error: ParserError, request: { raw: IncomingMessage }, reply: FastifyReply): void;
}

/** Of body-parser, which has a `type`, or of Fastify's content type parsers, which have a `code`. */
interface ParserError {
  readonly type?: unknown;
  readonly code?: unknown;
  readonly status?: number;
  readonly statusCode?: number;
  readonly limit?: number;
  readonly message?: string;
}

function exceptionOf(error: ParserError): HttpException | undefined {
  const byExpress =
    typeof error.type === 'string' &&
    /^(entity|encoding|charset|request|stream|parameters)\./.test(error.type);
  const byFastify = typeof error.code === 'string' && error.code.startsWith('FST_ERR_CTP_');
  const status = error.status ?? error.statusCode;
  if (status === undefined || status >= 500 || !(byExpress || byFastify)) return undefined;
  if (status === 413 && error.limit !== undefined) return tooLarge(error.limit);
  // A parser quotes what it could not read.
  const unparsable = error.type === 'entity.parse.failed' || status === 400;
  return new HttpException(
    unparsable ? 'Unparsable JSON body' : (error.message ?? 'The body cannot be read'),
    status,
  );
}
