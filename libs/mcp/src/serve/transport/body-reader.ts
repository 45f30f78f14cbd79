import { type BodyFault, type JsonBody, readJsonBody } from '@fledge/core/packages';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { isTooDeep, nestsTooDeep } from '../protocol/json-rpc.js';
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

export type Read =
  | { readonly kind: 'body'; readonly body: unknown }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** The client disconnected before its message was complete. */
  | { readonly kind: 'gone' };

/** The location of the body, if it is not on Node's request. */
export interface BodySource {
  /** The stream to read. A Fastify hook may have replaced it. */
  readonly payload?: Readable | undefined;
  /** The platform's request. A hook may have stored the body on it. */
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
 * Reads the JSON of a POST from the stream, or from the value that an earlier body parser stored.
 * @param limit maximum size in bytes
 * @param onRead called once
 */
export function readBody(
  message: IncomingMessage,
  limit: number,
  { payload: stream, request: platform }: BodySource = {},
  onRead: (read: Read) => void,
): void {
  const options = { limit, stream, platform, isTooDeep: isDeeperThanAllowed };
  readJsonBody(message, options, (read) => {
    // The refusal closes the connection, so the rest of the body does not have to be read.
    if (read.fault === 'too-large') (stream ?? message).pause();
    onRead(wordedFor(read, limit));
  });
}

function wordedFor(read: JsonBody, limit: number): Read {
  switch (read.fault) {
    case undefined:
      return { kind: 'body', body: read.body };
    case 'gone':
      return { kind: 'gone' };
    case 'too-large':
      return { kind: 'refused', refusal: tooLarge(limit) };
    default:
      return { kind: 'refused', refusal: REFUSALS[read.fault] };
  }
}

function isDeeperThanAllowed(body: unknown): boolean {
  return typeof body === 'string' ? isTooDeep(body) : nestsTooDeep(body);
}

/** A handler at a path outside Nest's routes. */
export interface MountedHandler {
  readonly path: string;
  readonly handle: (request: IncomingMessage, response: ServerResponse, body?: BodySource) => void;
}

/** The endpoints, and the documents that clients read before they use them. */
export interface MountedHandlers {
  readonly endpoints: readonly MountedHandler[];
  readonly documents: readonly MountedHandler[];
}
