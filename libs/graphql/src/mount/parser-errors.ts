import { inOwnContextOfSecond } from '@fledge/core/packages';
import { HttpException, type HttpServer } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tooLarge } from './request-body.js';

/** Answers a request whose body the platform's parser refused. */
export type ParserErrorHandler = (
  error: HttpException,
  req: IncomingMessage,
  res: ServerResponse,
) => void;

/**
 * Lets the mount answer errors of the platform's body parser at its path. The parser runs before the mount,
 * and Nest would answer in another form. Other errors pass through.
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
  // Express treats a function of four parameters as an error handler. `use` also matches the paths below.
  const middleware = (
    error: ParserError,
    req: IncomingMessage,
    res: ServerResponse,
    next: (error: unknown) => void,
  ) => {
    const exception = req.url?.split('?', 1)[0] === '/' ? parserExceptionOf(error) : undefined;
    if (exception === undefined) next(error);
    else handle(exception, req, res);
  };
  (adapter as { use(path: string, handler: typeof middleware): unknown }).use(path, middleware);
}

/** For mounts with `mountAs: 'route'`. A mount as middleware runs before Fastify's parser. */
function onFastify(adapter: HttpServer, path: string, handle: ParserErrorHandler): void {
  const instance = adapter.getInstance() as FastifyInstance;
  instance.addHook('onRoute', (route) => {
    if (route.url !== path) return;
    const answer: ErrorHandler = (error, request, reply) => {
      const exception = parserExceptionOf(error);
      if (exception === undefined) return void reply.send(error);
      sendOnFastify(reply, () => handle(exception, request.raw, reply.raw));
    };
    route.errorHandler = inOwnContextOfSecond(answer);
  });
}

/** Answers with Node's response, with the headers that Fastify's hooks have set. */
export function sendOnFastify(reply: FastifyReply, send: () => void): void {
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
  send();
}

/** The members of Fastify's reply used here. Typed here because Fastify may not be installed. */
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
  errorHandler?: ErrorHandler;
}

type ErrorHandler = (
  error: ParserError,
  request: { raw: IncomingMessage },
  reply: FastifyReply,
) => void;

/** An error of body-parser, which has a `type`, or of Fastify's content type parsers, which have a `code`. */
interface ParserError {
  readonly type?: unknown;
  readonly code?: unknown;
  readonly status?: number;
  readonly statusCode?: number;
  readonly limit?: number;
  readonly message?: string;
}

/** Returns what to answer for an error of the platform's body parser; undefined for other errors. */
function parserExceptionOf(thrown: unknown): HttpException | undefined {
  const error = Object(thrown) as ParserError;
  const byExpress =
    typeof error.type === 'string' &&
    /^(entity|encoding|charset|request|stream|parameters)\./.test(error.type);
  // Of a body that is not compressed as it says.
  const byZlib = typeof error.code === 'string' && error.code.startsWith('Z_');
  const byFastify = typeof error.code === 'string' && error.code.startsWith('FST_ERR_CTP_');
  const status = error.status ?? error.statusCode;
  if (status === undefined || status >= 500 || !(byExpress || byZlib || byFastify))
    return undefined;
  if (status === 413 && error.limit !== undefined) return tooLarge(error.limit);
  // The parser's text quotes the body, so it is replaced.
  const unparsable = error.type === 'entity.parse.failed' || status === 400;
  return new HttpException(
    unparsable ? 'Unparsable JSON body' : (error.message ?? 'The body cannot be read'),
    status,
  );
}
