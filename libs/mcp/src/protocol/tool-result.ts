import type { CallOutcome, CallResponse } from '../dispatch/call.js';
import type { ToolOutput } from '../registry/tool-output.js';
import type { Tool } from '../registry/tool.js';
import { isTooDeep } from './json-depth.js';
import { isObject } from './json-rpc.js';

/** Result of `tools/call` (MCP 2025-11-25, `CallToolResult`). */
export interface ToolResult {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

type ContentBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string };

/** A result that says what went wrong, for the model to act on. */
export function errorResult(message: string): ToolResult {
  return { content: [text(message)], isError: true };
}

/** The machine part of an error: the status of the inner response and whether trying again may help. */
interface ToolError {
  readonly status: number;
  readonly code?: string;
  readonly retryable: boolean;
  /** Seconds, or a date, from `Retry-After`. */
  readonly retryAfter?: string;
}

/** What the caller is told of how a call ended. */
export function toolResultOf(tool: Tool, outcome: CallOutcome): ToolResult {
  switch (outcome.kind) {
    case 'response':
      return responseResult(tool, outcome.response);
    case 'timeout':
      return failed(tool, text(`Tool "${tool.name}" timed out after ${outcome.afterMs} ms.`), {
        status: 504,
        retryable: true,
      });
    case 'aborted':
      return errorResult(`Tool "${tool.name}" was cancelled.`);
    case 'closed':
      return failed(tool, text(`Tool "${tool.name}" ended without an answer.`), {
        status: 502,
        retryable: false,
      });
  }
}

/**
 * An error with its machine part. Clients check `structuredContent` against a published output
 * schema, errors too, and would drop the whole answer: there the part stands in `_meta`.
 */
function failed(tool: Tool, content: ContentBlock, error: ToolError): ToolResult {
  return {
    content: [content],
    ...(tool.output ? { _meta: { 'fledge/error': error } } : { structuredContent: { error } }),
    isError: true,
  };
}

function responseResult(tool: Tool, response: CallResponse): ToolResult {
  const { status } = response;
  if (status >= 300 && status < 400) {
    return failed(tool, redirectOf(response), { status, retryable: false });
  }
  const content = contentOf(response);
  if (status >= 400) return failed(tool, content, machinePart(response, content));
  const structured = tool.output && structuredOf(content, tool.output);
  return {
    content: [content],
    ...(structured && { structuredContent: structured }),
    isError: false,
  };
}

function redirectOf({ status, headers }: CallResponse): ContentBlock {
  const location = headers['location'];
  const target = location === undefined ? '' : ` to ${String(location)}`;
  return text(`(${status} redirect${target}, not followed)`);
}

function machinePart(response: CallResponse, content: ContentBlock): ToolError {
  const { status, headers } = response;
  const code = content.type === 'text' ? codeIn(content.text) : undefined;
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
  const code = (parsed(text) as { code?: unknown } | undefined | null)?.code;
  return typeof code === 'string' ? code : undefined;
}

/** The body as the output schema describes it. */
function structuredOf(
  content: ContentBlock,
  { property }: ToolOutput,
): Readonly<Record<string, unknown>> | undefined {
  if (content.type !== 'text') return undefined;
  const value = isTooDeep(content.text) ? content.text : (parsed(content.text) ?? content.text);
  return isObject(value) && property === undefined ? value : { result: value };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function contentOf(response: CallResponse): ContentBlock {
  const { status, bytes } = response;
  if (bytes === 0) return text(status === 204 ? '(204 No Content)' : `(${status}, empty body)`);
  const mimeType = mimeTypeOf(response);
  if (isText(mimeType)) return text(textOf(response));

  const media = /^(image|audio)\//.exec(mimeType)?.[1] as 'image' | 'audio' | undefined;
  if (media === undefined || response.body.length < bytes) {
    return text(`(binary response left out: ${mimeType}, ${bytes} bytes)`);
  }
  return { type: media, data: response.body.toString('base64'), mimeType };
}

function mimeTypeOf({ headers }: CallResponse): string {
  const header = headers['content-type'];
  if (header === undefined) return 'text/plain';
  return (String(header).split(';')[0] as string).trim().toLowerCase();
}

function isText(mimeType: string): boolean {
  return (
    mimeType === 'application/json' ||
    mimeType.startsWith('text/') ||
    /[/+](json|xml|yaml|x-yaml|javascript|x-www-form-urlencoded|graphql|x-ndjson|jsonl)$/.test(
      mimeType,
    )
  );
}

/** The body as text, cut between characters where it was longer than the limit. */
function textOf({ body, bytes }: CallResponse): string {
  if (body.length === bytes) return body.toString('utf8');
  // The decoder drops the half character at the cut: it waits for the rest of a stream.
  const whole = new TextDecoder().decode(body, { stream: true });
  return `${whole}\n(cut: ${body.length} of ${bytes} bytes)`;
}

function text(value: string): ContentBlock {
  return { type: 'text', text: value };
}
