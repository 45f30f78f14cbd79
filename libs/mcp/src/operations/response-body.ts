import type { CallResponse } from '../calls/response-recorder.js';
import { isRecord } from '../schema/json-schema.js';

/** The media type of a response, lower-cased and without parameters; text where it names none. */
export function mimeTypeOf({ headers }: CallResponse): string {
  const header = headers['content-type'];
  if (header === undefined) return 'text/plain';
  return (String(header).split(';')[0] as string).trim().toLowerCase();
}

/** Whether a body of a media type is text to read. */
export function isText(mimeType: string): boolean {
  return (
    mimeType === 'application/json' ||
    mimeType.startsWith('text/') ||
    /[/+](json|xml|yaml|x-yaml|javascript|x-www-form-urlencoded|graphql|x-ndjson|jsonl)$/.test(
      mimeType,
    )
  );
}

/** Whether the body was longer than the limit. */
export function isCut({ body, bytes }: CallResponse): boolean {
  return body.length < bytes;
}

/** The body as text, cut between characters where it was longer than the limit. */
export function bodyText(response: CallResponse): string {
  const { body, bytes } = response;
  if (!isCut(response)) return body.toString('utf8');
  // The decoder drops the half character at the cut: it waits for the rest of a stream.
  const whole = new TextDecoder().decode(body, { stream: true });
  return `${whole}\n(cut: ${body.length} of ${bytes} bytes)`;
}

/** The value a text is the JSON of; undefined where it is none. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

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
  const code = isRecord(body) ? body['code'] : undefined;
  return typeof code === 'string' ? code : undefined;
}
