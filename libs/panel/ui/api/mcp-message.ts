import { isRecord, parsedJson } from '@fledge-internal/ui/json';

/**
 * The protocol version that the panel uses. It has no sessions, so the panel never counts against
 * `sessions.max`.
 */
const REVISION = '2026-07-28';

/** Name of the panel in the application's list of clients. */
export const CLIENT_NAME = 'fledge-panel';

/** An MCP request, and the headers that repeat parts of it (SEP-2243). */
export interface McpMessage {
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly body: Readonly<Record<string, unknown>>;
}

/** Builds a request of protocol version 2026-07-28. */
export function messageOf(method: string, params: Readonly<Record<string, unknown>>): McpMessage {
  const subject = params['name'] ?? params['uri'];
  return {
    headers: [
      { name: 'content-type', value: 'application/json' },
      { name: 'accept', value: 'application/json, text/event-stream' },
      { name: 'mcp-protocol-version', value: REVISION },
      { name: 'mcp-method', value: method },
      ...(typeof subject === 'string' ? [{ name: 'mcp-name', value: headerValue(subject) }] : []),
    ],
    body: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: ENVELOPE } },
  };
}

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientInfo': { name: CLIENT_NAME, version: '1' },
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
};

/** Encodes a string that a header cannot contain as Base64, in the format of SEP-2243. */
function headerValue(text: string): string {
  if (/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?base64?')) {
    return text;
  }
  const bytes = new TextEncoder().encode(text);
  return `=?base64?${btoa(String.fromCharCode(...bytes))}?=`;
}

/** The response to a message: a result, or an error with its code. */
export type McpReply =
  | { readonly kind: 'result'; readonly result: Readonly<Record<string, unknown>> }
  | { readonly kind: 'error'; readonly code: number | undefined; readonly message: string };

/**
 * Reads a response from a JSON body or an event stream. Returns undefined if the text contains
 * none.
 */
export function replyOf(contentType: string, text: string): McpReply | undefined {
  const messages = contentType.startsWith('text/event-stream') ? eventData(text) : [text];
  for (const message of messages) {
    const reply = parsedJson(message);
    if (!isRecord(reply)) continue;
    if (isRecord(reply['result'])) return { kind: 'result', result: reply['result'] };
    const error = reply['error'];
    if (isRecord(error)) {
      const { code, message: why } = error;
      return {
        kind: 'error',
        code: typeof code === 'number' ? code : undefined,
        message: typeof why === 'string' ? why : JSON.stringify(error),
      };
    }
  }
  return undefined;
}

function eventData(stream: string): string[] {
  return stream.split(/\r?\n\r?\n/).map((event) =>
    event
      .split(/\r?\n/)
      .filter((line) => line.startsWith('data:'))
      .map((line) => line.slice(5).trimStart())
      .join('\n'),
  );
}
