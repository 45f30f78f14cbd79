import { isObject } from '@fledge-internal/options';
import { bodyDecoder, charsetIn, mediaTypeOf } from '@fledge/core/packages';
import type { CallResponse } from '../call/recording.js';
import { parsedJson } from '../protocol/json-rpc.js';
import type { McpSourceTool } from '../../tool-source.js';

/** In lower case and without parameters. `text/plain` if the response has no media type. */
export function mimeTypeOf(response: CallResponse): string {
  const header = contentTypeOf(response);
  return header === undefined ? 'text/plain' : mediaTypeOf(header);
}

/** Returns true if the body has a content coding that could not be decoded. */
export function isEncoded({ bytes, headers }: CallResponse): boolean {
  return bytes > 0 && headers['content-encoding'] !== undefined;
}

/** Checks the media type, the charset, and whether the body is UTF-8 without binary data. */
export function isText(response: CallResponse): boolean {
  if (isEncoded(response)) return false;
  const mimeType = mimeTypeOf(response);
  return (
    mimeType === 'application/json' ||
    mimeType.startsWith('text/') ||
    /[/+](json|xml|yaml|x-yaml|javascript|x-www-form-urlencoded|graphql|(x-)?ndjson|jsonl|toml|sql)$/.test(
      mimeType,
    ) ||
    (!/^((image|audio|video|font)\/|application\/pdf$)/.test(mimeType) &&
      (charsetIn(contentTypeOf(response)) !== undefined || isUtf8(response)))
  );
}

/** Returns a sentence that replaces a body that is not text. */
export function leftOut(response: CallResponse): string {
  const size = sizeOf(response);
  if (!isEncoded(response)) return `(binary response left out: ${mimeTypeOf(response)}, ${size})`;
  const coding = String(response.headers['content-encoding']);
  return `(response left out: its content-encoding ${coding} could not be decoded, ${size})`;
}

/** Returns true if the body exceeded the limit. */
export function isCut({ body, bytes, isLonger }: CallResponse): boolean {
  return isLonger === true || body.length < bytes;
}

/** `500 bytes`, or `more than 500 bytes` if the body was stopped at the limit. */
export function sizeOf({ bytes, isLonger }: CallResponse): string {
  return `${isLonger ? 'more than ' : ''}${bytes} bytes`;
}

/** A body that is not text is replaced by a sentence. A body above the limit gets a note. */
export function bodyText(response: CallResponse): string {
  return textIn(response) ?? leftOut(response);
}

/** Returns undefined if the body is not text. A body above the limit gets a note. */
export function textIn(response: CallResponse): string | undefined {
  if (response.bytes > 0 && !isText(response)) return undefined;
  const text = decodedBody(response);
  if (!isCut(response)) return text;
  return `${text}\n(cut to the first ${response.body.length} of ${sizeOf(response)})`;
}

/** Omits the last character if it is incomplete. */
export function decodedBody(response: CallResponse): string {
  const { body } = response;
  // If the charset is unknown, the body is read as UTF-8, because most charsets contain ASCII.
  const decoder = bodyDecoder(contentTypeOf(response)) ?? new TextDecoder();
  if (!isCut(response)) return decoder.decode(body);
  // With `stream: true`, the decoder omits an incomplete last character.
  return new TextDecoder(decoder.encoding).decode(body, { stream: true });
}

/** Control characters that text does not contain (WHATWG MIME Sniffing, binary data byte). */
function isBinary(byte: number): boolean {
  return byte < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d, 0x1b].includes(byte);
}

function isUtf8(response: CallResponse): boolean {
  const { body } = response;
  if (body.some(isBinary)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(body, { stream: isCut(response) });
    return true;
  } catch {
    return false;
  }
}

function contentTypeOf({ headers }: CallResponse): string | undefined {
  const header = headers['content-type'];
  return header === undefined ? undefined : String(header);
}

/** Error details for programs. `retryable`: the same call may succeed later. */
export interface RouteError {
  readonly status: number;
  readonly code?: string;
  readonly retryable: boolean;
  /** Value of the header `Retry-After`: seconds or a date. */
  readonly retryAfter?: string;
}

/** @param text the body. Undefined if the body is not text */
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

function codeIn(text: string): string | undefined {
  const body = parsedJson(text);
  const code = isObject(body) ? body['code'] : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** A response whose body reports that the call failed. */
interface FailedResponse extends CallResponse {
  readonly failure: { readonly code?: string };
}

/** Calls `read` of the tool source for a text response. Returns other responses unchanged. */
export function readResponse(
  response: CallResponse,
  read: NonNullable<McpSourceTool['read']>,
): CallResponse | FailedResponse {
  const { status, body: bytes } = response;
  if (bytes.length === 0 || !isText(response)) return response;
  const given = decodedBody(response);
  const { body, failed, code } = read({ status, body: given, complete: !isCut(response) });
  const rewritten = body === given ? response : { ...response, ...textBody(body, response) };
  return failed ? { ...rewritten, failure: { ...(code !== undefined && { code }) } } : rewritten;
}

/** Returns undefined if the body reports no error. */
export function failureIn(response: CallResponse): FailedResponse['failure'] | undefined {
  return 'failure' in response ? (response as FailedResponse).failure : undefined;
}

/** Returns a UTF-8 body. This body replaces a body in another charset. */
function textBody(text: string, response: CallResponse): Partial<CallResponse> {
  const body = Buffer.from(text);
  return {
    body,
    bytes: body.length,
    headers: { ...response.headers, 'content-type': mimeTypeOf(response) },
  };
}
