import type { IncomingHttpHeaders } from 'node:http';

/** The common part of the requests of Express, Fastify and Node. */
export interface ContextRequest {
  readonly headers: IncomingHttpHeaders;
  readonly method: string;
  readonly url: string;
  readonly originalUrl?: string;
  readonly body?: unknown;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly user?: unknown;
  /** Node's request. Set only on a Fastify request. */
  readonly raw?: ContextRequest;
  /** Properties that middleware adds. */
  readonly [property: string]: unknown;
}

/** The common part of the responses of Express, Fastify and Node. */
export interface ContextResponse {
  statusCode: number;
  readonly [property: string]: unknown;
}
