import type { CallResponse } from '../calls/recording.js';
import type { McpSourceTool } from '../tool-source.js';
import { decodedBody, isCut, isText, mimeTypeOf } from './response-body.js';

/** A response whose body says that it failed. */
interface FailedResponse extends CallResponse {
  readonly failure: { readonly code?: string };
}

/** Reads a text response by the function of its tool's source. Other responses stay as they are. */
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

/** The failure that the body of a response says. Undefined if it says none. */
export function failureIn(response: CallResponse): FailedResponse['failure'] | undefined {
  return 'failure' in response ? (response as FailedResponse).failure : undefined;
}

/** A text in UTF-8, in place of a body that may have another charset. */
function textBody(text: string, response: CallResponse): Partial<CallResponse> {
  const body = Buffer.from(text);
  return {
    body,
    bytes: body.length,
    headers: { ...response.headers, 'content-type': mimeTypeOf(response) },
  };
}
