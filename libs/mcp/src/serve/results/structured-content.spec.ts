import { describe, expect, it } from '@jest/globals';
import type { Tool } from '../../publish/catalogue/tool.js';
import { createArgumentValidator } from '../../publish/arguments/argument-validator.js';
import { explicitOutputOf } from '../../publish/schema/explicit-output.js';
import { StructuredContent } from './structured-content.js';
import { type ToolResult, toolResultOf } from './tool-result.js';

const tool = {
  route: { label: 'TasksController.get' },
  output: explicitOutputOf({
    type: 'object',
    properties: { id: { type: 'integer' }, next: { $ref: '#/$defs/Next' } },
    required: ['id'],
    $defs: { Next: { type: 'object', required: ['at'] } },
  }),
} as unknown as Tool;

function result(structuredContent: Record<string, unknown>, isError = false): ToolResult {
  return { content: [], structuredContent, isError };
}

describe('structured content of an explicit schema', () => {
  const NULLABLE_TEXT = { type: ['string', 'null'] };
  const NULLABLE_OBJECT = { anyOf: [{ type: 'object' }, { type: 'null' }] };

  it.each([
    [{ type: 'object' }, '{"id":1}', { id: 1 }],
    [{ type: 'object' }, '[1,2]', { result: [1, 2] }],
    [{ type: 'object' }, '7', { result: 7 }],
    [{ type: 'object' }, 'plain', { result: 'plain' }],
    [{}, '{"id":1}', { result: { id: 1 } }],
    [{ type: 'string' }, '10115', { result: '10115' }],
    [{ type: 'string' }, 'true', { result: 'true' }],
    [{ type: 'string' }, '', { result: '' }],
    [{ type: 'number' }, '10115', { result: 10115 }],
    [NULLABLE_TEXT, '', { result: null }],
    [NULLABLE_TEXT, 'null', { result: null }],
    [NULLABLE_OBJECT, 'null', { result: null }],
  ])('%j: %s', async (schema, body, structuredContent) => {
    const of = { ...tool, output: explicitOutputOf(schema) } as unknown as Tool;
    const response = { status: 200, headers: {}, body: Buffer.from(body), bytes: body.length };
    const given = toolResultOf(of, { kind: 'response', response }, { warn: () => undefined });
    const contents = new StructuredContent(await createArgumentValidator(), () => undefined);
    expect(contents.addExplicit(given, of, response)).toEqual({ ...given, structuredContent });
  });
});

describe('check', () => {
  it('tells of a deviation, once a tool, naming route and place', async () => {
    const warnings: string[] = [];
    const contents = new StructuredContent(await createArgumentValidator(), (text) =>
      warnings.push(text),
    );
    contents.check(result({ id: 1, next: { at: 'x' } }), tool);
    contents.check(result({ error: {} }, true), tool);
    contents.check(result({}), { ...tool, output: undefined });
    expect(warnings).toEqual([]);
    contents.check(result({ id: 1, next: {} }), tool);
    contents.check(result({ id: 'x' }), tool);
    expect(warnings).toEqual([
      'TasksController.get returned a response that does not match outputSchema of @McpTool: ' +
        '/structuredContent/next must have the property "at".',
    ]);
  });
});
