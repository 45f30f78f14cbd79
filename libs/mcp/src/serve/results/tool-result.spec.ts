import { describe, expect, it } from '@jest/globals';
import type { CallOutcome } from '../call/call.js';
import type { CallResponse } from '../call/recording.js';
import type { Tool } from '../../publish/catalogue/tool.js';
import { explicitOutputOf } from '../../publish/schema/explicit-output.js';
import { type ToolResult, toolResultOf } from './tool-result.js';

const tool = { name: 'tasks_get' } as Tool;

const structured = {
  name: 'tasks_get',
  output: explicitOutputOf({ type: 'object' }),
} as unknown as Tool;

function answer(
  status: number,
  body: string | Buffer = '',
  headers: CallResponse['headers'] = { 'content-type': 'application/json; charset=utf-8' },
  bytes = Buffer.byteLength(body),
) {
  const response = { status, headers, body: Buffer.from(body), bytes };
  return { kind: 'response', response } as const;
}

function resultOf(of: Tool, outcome: CallOutcome): ToolResult {
  return toolResultOf(of, outcome, { warn: () => undefined });
}

describe('toolResultOf', () => {
  it.each([200, 201])('gives the text of a %d', (status) => {
    expect(resultOf(tool, answer(status, '{"id":1}'))).toEqual({
      content: [{ type: 'text', text: '{"id":1}' }],
      isError: false,
    });
  });

  it('says that there is no content', () => {
    expect(resultOf(tool, answer(204)).content).toEqual([
      { type: 'text', text: '(204 No Content)' },
    ]);
    expect(resultOf(tool, answer(200, '', {})).content).toEqual([
      { type: 'text', text: '(200, empty body)' },
    ]);
  });

  it.each([
    [400, false],
    [401, false],
    [403, false],
    [404, false],
    [409, false],
    [422, false],
    [429, true],
    [500, false],
    [503, true],
  ])('tells the model of a %d, and whether to try again', (status, retryable) => {
    const body = JSON.stringify({ statusCode: status, message: 'no', code: 'WHY' });
    expect(resultOf(tool, answer(status, body))).toEqual({
      content: [{ type: 'text', text: body }],
      structuredContent: { error: { status, code: 'WHY', retryable } },
      isError: true,
    });
  });

  it('keeps Retry-After, and no other header', () => {
    const headers = { 'content-type': 'text/plain', 'retry-after': '7', 'set-cookie': ['s=1'] };
    const result = resultOf(tool, answer(429, 'slow down', headers));
    expect(result.structuredContent).toEqual({
      error: { status: 429, retryable: true, retryAfter: '7' },
    });
    expect(JSON.stringify(result)).not.toContain('s=1');
  });

  it('names the target of a redirect and follows none', () => {
    expect(resultOf(tool, answer(302, '', { location: 'https://other.example/' }))).toEqual({
      content: [{ type: 'text', text: '(302 redirect to https://other.example/, not followed)' }],
      structuredContent: { error: { status: 302, retryable: false } },
      isError: true,
    });
  });

  it.each([
    ['image/png', 'image'],
    ['audio/wav', 'audio'],
  ])('gives %s as a block', (mimeType, type) => {
    const bytes = Buffer.from([1, 2, 3]);
    expect(resultOf(tool, answer(200, bytes, { 'content-type': mimeType })).content).toEqual([
      { type, data: 'AQID', mimeType },
    ]);
  });

  it.each(['application/pdf', 'application/octet-stream', 'video/mp4'])('leaves out %s', (type) => {
    const result = resultOf(tool, answer(200, Buffer.alloc(9), { 'content-type': type }));
    expect(result.content).toEqual([
      { type: 'text', text: `(binary response left out: ${type}, 9 bytes)` },
    ]);
  });

  it('says that the size of a stopped body is not known', () => {
    const stopped = (type: string) => ({
      kind: 'response' as const,
      response: {
        ...answer(200, 'ab', { 'content-type': type }, 4).response,
        isLonger: true as const,
      },
    });
    expect(resultOf(tool, stopped('text/plain')).content).toEqual([
      { type: 'text', text: 'ab\n(cut to the first 2 of more than 4 bytes)' },
    ]);
    expect(resultOf(tool, stopped('image/png')).content).toEqual([
      { type: 'text', text: '(binary response left out: image/png, more than 4 bytes)' },
    ]);
  });

  it('cuts between characters and says how much is missing', () => {
    const whole = Buffer.from('añ你😀z'.repeat(20));
    for (let kept = 1; kept < 40; kept++) {
      const cut = answer(
        200,
        whole.subarray(0, kept),
        { 'content-type': 'text/plain' },
        whole.length,
      );
      const [block] = resultOf(tool, cut).content;
      const [text, note] = (block as { text: string }).text.split('\n');
      expect(whole.toString().startsWith(text ?? 'x')).toBe(true);
      expect(note).toBe(`(cut to the first ${kept} of ${whole.length} bytes)`);
    }
  });

  it('keeps errors out of what clients check against the output schema', () => {
    const result = resultOf(structured, answer(404, '{"message":"none"}'));
    expect(result).not.toHaveProperty('structuredContent');
    expect(result._meta).toEqual({ 'fledge/error': { status: 404, retryable: false } });
  });

  it('tells of a time-out, of an end without answer and of a cancellation', () => {
    expect(resultOf(tool, { kind: 'timeout', afterMs: 50 })).toMatchObject({
      content: [{ text: 'Tool "tasks_get" timed out after 50 ms.' }],
      isError: true,
    });
    expect(resultOf(tool, { kind: 'closed' })).toMatchObject({
      content: [{ text: 'Tool "tasks_get" ended without a response.' }],
      isError: true,
    });
    expect(resultOf(tool, { kind: 'aborted' }).isError).toBe(true);
  });

  describe('of a route that answers content blocks', () => {
    const route = { label: 'TasksController.report' };
    const blocks = { name: 'report', content: 'blocks', route } as Tool;
    const content = [
      { type: 'text', text: 'Two files:' },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      { type: 'resource', resource: { uri: 'tasks://1', mimeType: 'text/plain', text: 'one' } },
      { type: 'resource', resource: { uri: 'tasks://2', blob: 'AAAA' } },
      { type: 'resource_link', uri: 'tasks://3', name: 'three' },
    ];

    it('passes them on as they are', () => {
      expect(resultOf(blocks, answer(200, JSON.stringify(content)))).toEqual({
        content,
        isError: false,
      });
    });

    it.each([
      '{"content":[]}',
      '[]',
      '[{"type":"text"}]',
      '[{"type":"resource","resource":{"uri":"a"}}]',
      '[{"type":"video","data":"AAAA","mimeType":"video/mp4"}]',
      '[{"type":"__proto__"}]',
      'plain',
      `${'['.repeat(500)}${']'.repeat(500)}`,
    ])('sends %s as text, and tells the author', (body) => {
      const warnings: string[] = [];
      const result = toolResultOf(blocks, answer(200, body), {
        warn: (warning) => void warnings.push(warning),
      });
      expect(result.content).toEqual([{ type: 'text', text: body }]);
      expect(warnings).toEqual([
        expect.stringMatching(
          /^TasksController\.report .* did not return a list of content blocks/,
        ),
      ]);
    });

    it('leaves errors what they are', () => {
      expect(resultOf(blocks, answer(404, '{"message":"no"}'))).toMatchObject({
        content: [{ type: 'text', text: '{"message":"no"}' }],
        isError: true,
      });
    });
  });
});
