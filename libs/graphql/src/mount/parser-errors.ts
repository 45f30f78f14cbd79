import { inOwnContextOfSecond } from '@fledge/core/packages';
import { HttpException, type HttpServer } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tooLarge } from '../http/read-request.js';

type Answer = (error: HttpException, req: IncomingMessage, res: ServerResponse) => void;

/**
 * If the platform's body parser fails for a request to the mount's path, sends the response. The
 * parser runs before the mount, and Nest would use another response format. Ignores all other
 * errors.
 */
export function takeParserErrors(adapter: HttpServer, path: string, answer: Answer): void {
  if (adapter.getType() === 'fastify') onFastify(adapter, path, answer);
  else onExpress(adapter, path, answer);
}

function onExpress(adapter: HttpServer, path: string, answer: Answer): void {
  // Express recognizes error handlers by their four parameters. `use` also matches the paths below
  // the mount's path.
  const middleware = (
    error: unknown,
    req: IncomingMessage,
    res: ServerResponse,
    next: (error: unknown) => void,
  ) => {
    const exception = req.url?.split('?', 1)[0] === '/' ? parserExceptionOf(error) : undefined;
    if (exception === undefined) next(error);
    else answer(exception, req, res);
  };
  (adapter as { use(path: string, handler: typeof middleware): unknown }).use(path, middleware);
}

/**
 * Used only with `mountAs: 'route'`. With `mountAs: 'middleware'`, the mount runs before Fastify's
 * body parser.
 */
function onFastify(adapter: HttpServer, path: string, answer: Answer): void {
  const instance = adapter.getInstance() as FastifyInstance;
  instance.addHook('onRoute', (route) => {
    if (route.url !== path) return;
    const handler: ErrorHandler = (error, { raw }, reply) => {
      const exception = parserExceptionOf(error);
      if (exception === undefined) return void reply.send(error);
      sendOnFastify(reply, () => answer(exception, raw, reply.raw));
    };
    route.errorHandler = inOwnContextOfSecond(handler);
  });
}

/**
 * Sends a response through Node's response object. Includes the headers that Fastify's hooks have
 * set.
 */
export function sendOnFastify(reply: FastifyReply, send: () => void): void {
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
  send();
}

/**
 * The properties of Fastify's reply that are used here. The types of Fastify are not imported,
 * because Fastify may not be installed.
 */
export interface FastifyReply {
  readonly raw: ServerResponse;
  hijack(): void;
  getHeaders(): Record<string, number | string | string[] | undefined>;
  send(payload: unknown): void;
}

type ErrorHandler = (
  error: unknown,
  request: { raw: IncomingMessage },
  reply: FastifyReply,
) => void;

interface FastifyInstance {
  addHook(
    name: 'onRoute',
    hook: (route: { readonly url: string; errorHandler?: ErrorHandler }) => void,
  ): void;
}

/**
 * An error of body-parser, or an error of Fastify's content type parsers. The first has a `type`,
 * and the second has a `code`.
 */
interface ParserError {
  readonly type?: unknown;
  readonly code?: unknown;
  readonly status?: number;
  readonly statusCode?: number;
  readonly limit?: number;
  readonly message?: string;
}

/**
 * Returns the exception to send for an error of the platform's body parser. Returns undefined for
 * other errors.
 */
function parserExceptionOf(thrown: unknown): HttpException | undefined {
  const error = Object(thrown) as ParserError;
  const { status = error.statusCode, limit } = error;
  const isOfParser =
    /^(entity|encoding|charset|request|stream|parameters)\./.test(String(error.type)) ||
    // The body is not compressed as the header says: `Z_` of zlib, `FST_CP_ERR_` of a plugin.
    /^(Z_|FST_ERR_CTP_|FST_CP_ERR_)/.test(String(error.code));
  if (!isOfParser || status === undefined || status >= 500) return undefined;
  if (status === 413 && limit !== undefined) return tooLarge(limit);
  // The message of the parser contains the body, so it is replaced.
  const unparsable = error.type === 'entity.parse.failed' || status === 400;
  return new HttpException(
    unparsable ? 'Unparsable JSON body' : (error.message ?? 'The body cannot be read'),
    status,
  );
}
