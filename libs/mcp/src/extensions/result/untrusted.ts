import { randomBytes } from 'node:crypto';
import type { McpContentBlock, ToolResult } from '../../serve/results/tool-result.js';

/**
 * Encloses the text blocks of a result in marks. The content cannot fake the end mark, because the
 * number in the marks is random.
 */
export function markUntrusted(result: ToolResult): ToolResult {
  const nonce = randomBytes(8).toString('hex');
  return {
    ...result,
    content: result.content.map((block) => marked(block, nonce)),
    _meta: { ...result._meta, 'fledge/untrusted': { nonce } },
  };
}

function marked(block: McpContentBlock, nonce: string): McpContentBlock {
  if (block.type !== 'text') return block;
  const text = `<untrusted-${nonce}>\n${block.text}\n</untrusted-${nonce}>`;
  return { ...block, text };
}
