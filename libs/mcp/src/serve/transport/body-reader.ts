import { type BodyFault, type JsonBody, readJsonBody } from '@fledge/core/packages';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { isTooDeep } from '../protocol/json-rpc.js';
import {
  BODY_CONSUMED,
  ENCODED,
  INVALID_JSON,
  NOT_JSON,
  type Refusal,
  TOO_DEEP,
  tooLarge,
  UNKNOWN_CHARSET,
} from '../protocol/refusals.js';

/** The place of the body, if the body is not on the request of Node.js. */
export interface BodySource {
  /** The stream that contains the body. A Fastify hook may have replaced the original stream. */
  readonly payload?: Readable | undefined;
  /** The request of Express or Fastify. A hook may have stored the body in `body` or `rawBody`. */
  readonly request?: { readonly body?: unknown; readonly rawBody?: unknown };
}

const REFUSALS: Readonly<Record<Exclude<BodyFault, 'gone' | 'too-large'>, Refusal>> = {
  'not-json': NOT_JSON,
  'unknown-charset': UNKNOWN_CHARSET,
  encoded: ENCODED,
  empty: INVALID_JSON,
  'invalid-json': INVALID_JSON,
  'too-deep': TOO_DEEP,
  consumed: BODY_CONSUMED,
};

/**
 * Reads the stream, or uses the value that an earlier body parser stored.
 * @param limit maximum size in bytes
 * @param onRead called exactly once
 */
export function readBody(
  message: IncomingMessage,
  limit: number,
  { payload: stream, request: platform }: BodySource = {},
  onRead: (read: JsonBody) => void,
): void {
  readJsonBody(message, { limit, stream, platform, isTooDeep }, onRead);
}

export function bodyRefusal(fault: Exclude<BodyFault, 'gone'>, limit: number): Refusal {
  return fault === 'too-large' ? tooLarge(limit) : REFUSALS[fault];
}

/** A handler for a path that has no Nest route. */
export interface MountedHandler {
  readonly path: string;
  readonly handle: (request: IncomingMessage, response: ServerResponse, body?: BodySource) => void;
}

export interface MountedHandlers {
  readonly endpoints: readonly MountedHandler[];
  readonly documents: readonly MountedHandler[];
}
