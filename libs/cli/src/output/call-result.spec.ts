import { describe, expect, it } from '@jest/globals';
import type { CallToolResult } from '@modelcontextprotocol/client';
import { resultText } from './call-result.js';

const pipe = { kind: 'pipe' } as const;
const color = { kind: 'terminal', columns: 80, color: true } as const;
const data = Buffer.alloc(1500).toString('base64');

describe('resultText', () => {
  it.each<[string, CallToolResult, string]>([
    ['text', { content: [{ type: 'text', text: 'a' }] }, 'a\n'],
    ['text that ends its line', { content: [{ type: 'text', text: 'a\n' }] }, 'a\n'],
    [
      'an image',
      { content: [{ type: 'image', data, mimeType: 'image/png' }] },
      '[image: image/png, 1.5 kB]\n',
    ],
    [
      'audio',
      { content: [{ type: 'audio', data: 'AAAA', mimeType: 'audio/wav' }] },
      '[audio: audio/wav, 3 B]\n',
    ],
    [
      'a link',
      { content: [{ type: 'resource_link', uri: 'file:///a', name: 'A' }] },
      '[link: file:///a A]\n',
    ],
    [
      'a text resource',
      { content: [{ type: 'resource', resource: { uri: 'x:y', text: 'b' } }] },
      'b\n',
    ],
    [
      'a blob',
      { content: [{ type: 'resource', resource: { uri: 'x:y', blob: 'AAAA' } }] },
      '[resource: x:y, binary, 3 B]\n',
    ],
    ['structured content alone', { content: [], structuredContent: { a: 1 } }, '{\n  "a": 1\n}\n'],
    ['nothing', { content: [] }, ''],
  ])('of %s', (_, result, text) => {
    expect(resultText(result, pipe)).toBe(text);
  });

  it('is red for an error on a color terminal', () => {
    const result: CallToolResult = { isError: true, content: [{ type: 'text', text: 'no' }] };
    expect(resultText(result, color)).toBe('\u001b[31mno\n\u001b[39m');
    expect(resultText(result, pipe)).toBe('no\n');
  });

  it('removes control characters for a terminal, and keeps all bytes for a pipe', () => {
    const result: CallToolResult = {
      content: [{ type: 'text', text: 'a\u001b]0;title\u0007\tb\r\u009bc\nd' }],
    };
    expect(resultText(result, color)).toBe('a]0;title\tbc\nd\n');
    expect(resultText(result, pipe)).toBe('a\u001b]0;title\u0007\tb\r\u009bc\nd\n');
  });
});
