import type { CallResponse } from '../dispatch/call.js';

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
export function textOf(response: CallResponse): string {
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
