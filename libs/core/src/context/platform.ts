import type { IncomingHttpHeaders } from 'node:http';

/** What Express' request, Fastify's request and Node's own have in common. */
export interface ContextRequest {
  readonly headers: IncomingHttpHeaders;
  readonly method: string;
  readonly url: string;
  readonly originalUrl?: string;
  readonly body?: unknown;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly user?: unknown;
  /** Node's request below Fastify's. */
  readonly raw?: ContextRequest;
  /** Whatever middleware put there. */
  readonly [property: string]: unknown;
}

/** What Express' response, Fastify's reply and Node's own have in common. */
export interface ContextResponse {
  statusCode: number;
  readonly [property: string]: unknown;
}
