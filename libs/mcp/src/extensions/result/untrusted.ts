import { randomBytes } from 'node:crypto';
import type { McpContentBlock, ToolResult } from '../../serve/results/tool-result.js';

/**
 * Encloses the texts of a result in marks. The content cannot fake the end mark, because the number
 * in the marks is random.
 */
export function markUntrusted(result: ToolResult): ToolResult {
  const nonce = randomNonce();
  return {
    ...result,
    content: result.content.map((block) => markedBlock(block, nonce)),
    _meta: { ...result._meta, 'fledge/untrusted': { nonce } },
  };
}

/** Encloses a text in marks with a number. By default, the number is new. */
export function markedText(text: string, nonce = randomNonce()): string {
  return `<untrusted-${nonce}>\n${text}\n</untrusted-${nonce}>`;
}

function randomNonce(): string {
  return randomBytes(8).toString('hex');
}

function markedBlock(block: McpContentBlock, nonce: string): McpContentBlock {
  if (block.type === 'text') return { ...block, text: markedText(block.text, nonce) };
  if (block.type !== 'resource' || !('text' in block.resource)) return block;
  const { resource } = block;
  return { ...block, resource: { ...resource, text: markedText(String(resource.text), nonce) } };
}
