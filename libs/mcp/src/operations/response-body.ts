import type { CallResponse } from '../calls/recording.js';
import { isRecord } from '../schema/json-schema.js';

/** Media type of a response, in lower case and without parameters. `text/plain` if it has none. */
export function mimeTypeOf({ headers }: CallResponse): string {
  const header = headers['content-type'];
  if (header === undefined) return 'text/plain';
  return (String(header).split(';')[0] as string).trim().toLowerCase();
}

/** True if a body of this media type is readable text. */
export function isText(mimeType: string): boolean {
  return (
    mimeType === 'application/json' ||
    mimeType.startsWith('text/') ||
    /[/+](json|xml|yaml|x-yaml|javascript|x-www-form-urlencoded|graphql|x-ndjson|jsonl)$/.test(
      mimeType,
    )
  );
}

/** True if the body was longer than the limit. */
export function isCut({ body, bytes }: CallResponse): boolean {
  return body.length < bytes;
}

/** `500 bytes`, or `more than 500 bytes` if the body was stopped. */
export function sizeOf({ bytes, isLonger }: CallResponse): string {
  return `${isLonger ? 'more than ' : ''}${bytes} bytes`;
}

/** The body as text. If it was longer than the limit, it is cut between characters and a note is added. */
export function bodyText(response: CallResponse): string {
  const { body } = response;
  if (!isCut(response)) return body.toString('utf8');
  // In stream mode the decoder leaves out an incomplete character at the cut.
  const whole = new TextDecoder().decode(body, { stream: true });
  return `${whole}\n(cut: ${body.length} of ${sizeOf(response)})`;
}

/** Parses a JSON text. Undefined if it is not valid. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Error details for programs: the status of the route's response, and whether a retry may help. */
export interface RouteError {
  readonly status: number;
  readonly code?: string;
  readonly retryable: boolean;
  /** Value of `Retry-After`: seconds or a date. */
  readonly retryAfter?: string;
}

/** @param text the body, if it is text */
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

/** The `code` of an error body, if it is JSON and has one. */
function codeIn(text: string): string | undefined {
  const body = parsedJson(text);
  const code = isRecord(body) ? body['code'] : undefined;
  return typeof code === 'string' ? code : undefined;
}
