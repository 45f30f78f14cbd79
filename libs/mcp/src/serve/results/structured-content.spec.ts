import { describe, expect, it } from '@jest/globals';
import type { Tool } from '../../publish/catalogue/tool.js';
import { createArgumentValidator } from '../../publish/arguments/argument-validator.js';
import { explicitOutputOf } from '../../publish/schema/explicit-output.js';
import { outputCheck } from './structured-content.js';
import type { ToolResult } from './tool-result.js';

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

describe('outputCheck', () => {
  it('tells of a deviation, once a tool, naming route and place', async () => {
    const warnings: string[] = [];
    const check = outputCheck(await createArgumentValidator(), (text) => warnings.push(text));
    check(tool, result({ id: 1, next: { at: 'x' } }));
    check(tool, result({ error: {} }, true));
    check({ ...tool, output: undefined }, result({}));
    expect(warnings).toEqual([]);
    check(tool, result({ id: 1, next: {} }));
    check(tool, result({ id: 'x' }));
    expect(warnings).toEqual([
      'TasksController.get returned a response that does not match outputSchema of @McpTool: ' +
        '/structuredContent/next must have the property "at".',
    ]);
  });
});
