import type { CallResponse } from '../dispatch/call.js';
import { isObject } from './json-rpc.js';
import { parsedJson } from './response-body.js';

/** The machine part of an error: the status of the inner response and whether trying again may help. */
export interface RouteError {
  readonly status: number;
  readonly code?: string;
  readonly retryable: boolean;
  /** Seconds, or a date, from `Retry-After`. */
  readonly retryAfter?: string;
}

/** @param text the body, where it is one */
export function routeErrorOf(
  { status, headers }: CallResponse,
  text: string | undefined,
): RouteError {
  const code = text === undefined ? undefined : codeIn(text);
  const retryAfter = headers['retry-after'];
  return {
    status,
    ...(code !== undefined && { code }),
    retryable: status === 408 || status === 425 || status === 429 || status >= 502,
    ...(retryAfter !== undefined && { retryAfter: String(retryAfter) }),
  };
}

/** The `code` an application gives its errors, where the body is JSON and has one. */
function codeIn(text: string): string | undefined {
  const body = parsedJson(text);
  const code = isObject(body) ? body['code'] : undefined;
  return typeof code === 'string' ? code : undefined;
}
