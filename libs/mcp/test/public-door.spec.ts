import { describe, expect, it } from '@jest/globals';
import * as door from '../src/index.js';

describe('the public door of @fledge/mcp', () => {
  it('gives the names of the contract, the errors, and no others', () => {
    expect(Object.keys(door).sort()).toEqual([
      'DuplicateToolError',
      'MCP_TOOL_METADATA',
      'McpAdapter',
      'McpError',
      'McpModule',
      'McpOptionError',
      'McpTool',
      'NotARouteError',
      'ToolNameError',
      'ToolSchemaError',
      'getMcpToolMeta',
      'isMcpTool',
    ]);
  });

  it('keeps the codes of its errors', () => {
    const codes = [
      new door.DuplicateToolError('a', 'b', 'c'),
      new door.McpOptionError('a'),
      new door.NotARouteError('a', 'b'),
      new door.ToolNameError('a', 'b'),
      new door.ToolSchemaError('a', 'b'),
    ].map(({ code, name }) => [name, code]);
    expect(codes).toEqual([
      ['DuplicateToolError', 'MCP_DUPLICATE_TOOL'],
      ['McpOptionError', 'MCP_BAD_OPTION'],
      ['NotARouteError', 'MCP_NOT_A_ROUTE'],
      ['ToolNameError', 'MCP_BAD_TOOL_NAME'],
      ['ToolSchemaError', 'MCP_BAD_SCHEMA'],
    ]);
  });
});
