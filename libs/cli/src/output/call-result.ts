import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';
import { printable, styled, type Terminal } from './terminal.js';

/**
 * Formats a tool result for people. Text is printed unchanged. For other content, a description is
 * printed.
 */
export function resultText(result: CallToolResult, terminal: Terminal): string {
  const content = result.content.map((block) => printable(terminal, blockText(block)));
  const structured = result.structuredContent;
  if (content.length === 0 && structured !== undefined) {
    content.push(printable(terminal, JSON.stringify(structured, null, 2)));
  }
  const text = content.map((part) => (part.endsWith('\n') ? part : `${part}\n`)).join('');
  return result.isError === true ? styled(terminal, 'red', text) : text;
}

function blockText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.type}: ${block.mimeType}, ${sizeOf(block.data)}]`;
    case 'resource_link':
      return `[link: ${block.uri} ${block.title ?? block.name}]`;
    case 'resource': {
      const { resource } = block;
      if ('text' in resource) return resource.text;
      return `[resource: ${resource.uri}, ${resource.mimeType ?? 'binary'}, ${sizeOf(resource.blob)}]`;
    }
    default:
      return `[${(block as { type: string }).type}]`;
  }
}

function sizeOf(base64: string): string {
  const bytes = Buffer.from(base64, 'base64').length;
  return bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(1)} kB`;
}
