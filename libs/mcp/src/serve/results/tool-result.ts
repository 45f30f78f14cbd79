import { isObject } from '@fledge-internal/options';
import type { CallOutcome } from '../call/call.js';
import type { CallResponse } from '../call/recording.js';
import type { Tool } from '../../publish/catalogue/tool.js';
import { parsedJson } from '../protocol/json-rpc.js';
import {
  decodedBody,
  failureIn,
  isCut,
  isEncoded,
  leftOut,
  mimeTypeOf,
  readResponse,
  type RouteError,
  routeErrorOf,
  textIn,
} from './response-body.js';

/** Result of `tools/call` (MCP 2025-11-25, `CallToolResult`). */
export interface ToolResult {
  readonly content: readonly McpContentBlock[];
  /** Up to MCP 2025-11-25, an object. Since MCP 2026-07-28, any JSON value. */
  readonly structuredContent?: unknown;
  readonly isError: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** For the developer. The caller does not receive it. */
type Warn = (warning: string) => void;

/** The message tells the model what failed. */
export function errorResult(message: string): ToolResult {
  return { content: [text(message)], isError: true };
}

export interface ReadingOptions {
  readonly warn: Warn;
  /** Removes unwanted characters. Structured content is created from the cleaned strings. */
  readonly clean?: ((text: string) => string) | undefined;
}

export function toolResultOf(
  tool: Tool,
  outcome: CallOutcome,
  reading: ReadingOptions,
): ToolResult {
  switch (outcome.kind) {
    case 'response':
      return responseResult(tool, outcome.response, reading);
    case 'timeout':
      return failed(tool, text(`Tool "${tool.name}" timed out after ${outcome.afterMs} ms.`), {
        status: 504,
        retryable: true,
      });
    case 'aborted':
      return errorResult(`Tool "${tool.name}" was cancelled.`);
    case 'closed':
      return failed(tool, text(`Tool "${tool.name}" ended without a response.`), {
        status: 502,
        retryable: false,
      });
    case 'misrouted':
      return failed(
        tool,
        text(
          `Tool "${tool.name}" did not run, because the URL with these arguments matches another route.`,
        ),
        { status: 404, retryable: false },
      );
  }
}

/**
 * Returns an error result with details for programs. If the tool has an output schema, the details
 * are in `_meta` instead of `structuredContent`. Clients validate `structuredContent` of errors
 * against the schema too, and would reject the result.
 */
function failed(tool: Tool, content: McpContentBlock, error: RouteError): ToolResult {
  return {
    content: [content],
    ...(tool.output ? { _meta: { 'fledge/error': error } } : { structuredContent: { error } }),
    isError: true,
  };
}

export function routeErrorIn({
  structuredContent,
  _meta,
}: Partial<ToolResult>): RouteError | undefined {
  const error = isObject(structuredContent) ? structuredContent['error'] : undefined;
  return (error ?? _meta?.['fledge/error']) as RouteError | undefined;
}

function responseResult(
  tool: Tool,
  given: CallResponse,
  { warn, clean }: ReadingOptions,
): ToolResult {
  const response = tool.source?.read ? readResponse(given, tool.source.read) : given;
  const { status } = response;
  if (status >= 300 && status < 400) {
    return failed(tool, redirectOf(response), { status, retryable: false });
  }
  const content = contentOf(response, clean);
  const failure = failureIn(response);
  if (status >= 400 || failure) {
    const body = content.type === 'text' ? content.text : undefined;
    return failed(tool, content, { ...routeErrorOf(response, body), ...failure });
  }
  const blocks = tool.content === 'blocks' ? blocksOf(tool, response, warn) : undefined;
  return { content: blocks ?? [content], isError: false };
}

function redirectOf({ status, headers }: CallResponse): McpContentBlock {
  const location = headers['location'];
  const target = location === undefined ? '' : ` to ${String(location)}`;
  return text(`(${status} redirect${target}, not followed)`);
}

/** The media type selects the type of the block. */
function contentOf(response: CallResponse, clean: ReadingOptions['clean']): McpContentBlock {
  const { status, bytes } = response;
  if (bytes === 0) return text(status === 204 ? '(204 No Content)' : `(${status}, empty body)`);
  const body = textIn(response);
  if (body !== undefined) return text(clean ? clean(body) : body);
  const mimeType = mimeTypeOf(response);
  const media = /^(image|audio)\//.exec(mimeType)?.[1] as 'image' | 'audio' | undefined;
  if (media === undefined || isCut(response) || isEncoded(response)) return text(leftOut(response));
  return { type: media, data: response.body.toString('base64'), mimeType };
}

/** If there are none, logs a warning and returns undefined. */
function blocksOf(
  { route }: Tool,
  response: CallResponse,
  warn: Warn,
): readonly McpContentBlock[] | undefined {
  const value = isCut(response) ? undefined : parsedJson(decodedBody(response));
  if (Array.isArray(value) && value.length > 0 && value.every(isContentBlock)) return value;
  warn(
    `${route.label} has @McpTool({ content: 'blocks' }), but did not return a list of content ` +
      'blocks, so the response is sent as text. Return blocks such as ' +
      `[{ type: 'text', text: '...' }].`,
  );
  return undefined;
}

function text(value: string): McpContentBlock {
  return { type: 'text', text: value };
}

/** A content block (MCP 2025-11-25, `ContentBlock`). */
export type McpContentBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
  | { readonly type: 'resource'; readonly resource: McpEmbeddedResource }
  | {
      readonly type: 'resource_link';
      readonly uri: string;
      readonly name: string;
      readonly mimeType?: string;
    };

/** A resource inside a result. It has either `text`, or `blob` in base64. */
export interface McpEmbeddedResource {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text?: string;
  readonly blob?: string;
}

const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  image: ['data', 'mimeType'],
  audio: ['data', 'mimeType'],
  resource_link: ['uri', 'name'],
};

/** Unknown fields are not checked. */
export function isContentBlock(value: unknown): value is McpContentBlock {
  if (!isObject(value) || typeof value['type'] !== 'string') return false;
  if (value['type'] === 'resource') return isEmbeddedResource(value['resource']);
  const members = Object.hasOwn(REQUIRED, value['type']) ? REQUIRED[value['type']] : undefined;
  return members?.every((member) => typeof value[member] === 'string') ?? false;
}

function isEmbeddedResource(value: unknown): boolean {
  if (!isObject(value) || typeof value['uri'] !== 'string') return false;
  return typeof value['text'] === 'string' || typeof value['blob'] === 'string';
}
