import { isObject } from './json-rpc.js';

/** A piece of content (MCP 2025-11-25, `ContentBlock`). */
export type McpContentBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
  | { readonly type: 'resource'; readonly resource: McpEmbeddedResource }
  | { readonly type: 'resource_link'; readonly uri: string; readonly name: string };

/** A resource inside of a result: `text`, or `blob` in base64. */
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

/** Whether a value is a content block as clients take it. Other members are the author's matter. */
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
