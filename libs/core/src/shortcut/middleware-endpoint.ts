import type { IncomingMessage, ServerResponse } from 'node:http';

/** An endpoint that is middleware of one path, added by `consumer.apply()` for all methods. */
export interface MiddlewareEndpoint {
  /** The whole URL of its requests, with the global prefix. */
  readonly path: string;
  /** Whether a request may come directly. Others go by way of the platform. */
  readonly takes: (request: IncomingMessage) => boolean;
  /** What runs before the endpoint: the middleware that opens the context of a request. */
  readonly open: (request: never, response: never, next: (error?: unknown) => void) => void;
  readonly serve: (request: IncomingMessage, response: ServerResponse) => void;
  /** Answers a request that a body parser of Express or `open` refused. */
  readonly refuse: (error: unknown, request: IncomingMessage, response: ServerResponse) => void;
}
