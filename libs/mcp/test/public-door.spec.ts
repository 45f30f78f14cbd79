import { describe, expect, it } from '@jest/globals';
import { HttpException } from '@nestjs/common';
import * as door from '../src/index.js';
import * as bridge from '../src/oauth-bridge/index.js';

describe('the public door of @fledge/mcp', () => {
  it('gives the names of the contract, the errors, and no others', () => {
    expect(Object.keys(door).sort()).toEqual([
      'CompletionError',
      'DuplicatePromptError',
      'DuplicateResourceError',
      'DuplicateToolError',
      'GraphqlEndpointError',
      'GraphqlOperationError',
      'MCP_TOOL_METADATA',
      'McpAdapter',
      'McpCall',
      'McpCallInfo',
      'McpClientAnswerError',
      'McpClientCapabilityError',
      'McpError',
      'McpInputRequiredError',
      'McpModule',
      'McpOptionError',
      'McpPrompt',
      'McpResource',
      'McpTool',
      'MissingPeerError',
      'NotARouteError',
      'PageError',
      'ParameterTypesError',
      'ResourceUriError',
      'ToolNameError',
      'ToolSchemaError',
      'getMcpPromptMeta',
      'getMcpResourceMeta',
      'getMcpToolMeta',
      'isMcpTool',
    ]);
  });

  it('keeps the codes of its errors', () => {
    const codes = [
      new door.CompletionError('a', 'b', 'c'),
      new door.DuplicatePromptError('a', 'b', 'c'),
      new door.DuplicateResourceError('a', 'b', 'c'),
      new door.DuplicateToolError('a', 'b', 'c'),
      new door.McpClientAnswerError('elicitation', 'a'),
      new door.McpClientCapabilityError('elicitation'),
      new door.McpInputRequiredError('a'),
      new door.McpOptionError('a'),
      new door.MissingPeerError('a', 'b'),
      new door.NotARouteError('a', 'b', 'c'),
      new door.ParameterTypesError('a', 'Body'),
      new door.ResourceUriError('a', 'b', 'c'),
      new door.ToolNameError('a', 'b'),
      new door.ToolSchemaError('a', 'b'),
    ].map((error) => {
      if (error instanceof HttpException) expect(error.errorCode).toBe(error.code);
      return [error.name, error.code];
    });
    expect(codes).toEqual([
      ['CompletionError', 'MCP_BAD_COMPLETION'],
      ['DuplicatePromptError', 'MCP_DUPLICATE_PROMPT'],
      ['DuplicateResourceError', 'MCP_DUPLICATE_RESOURCE'],
      ['DuplicateToolError', 'MCP_DUPLICATE_TOOL'],
      ['McpClientAnswerError', 'MCP_BAD_ANSWER'],
      ['McpClientCapabilityError', 'MCP_MISSING_CAPABILITY'],
      ['McpInputRequiredError', 'MCP_INPUT_REQUIRED'],
      ['McpOptionError', 'MCP_BAD_OPTION'],
      ['MissingPeerError', 'MCP_MISSING_PEER'],
      ['NotARouteError', 'MCP_NOT_A_ROUTE'],
      ['ParameterTypesError', 'MCP_NO_PARAMETER_TYPES'],
      ['ResourceUriError', 'MCP_BAD_RESOURCE_URI'],
      ['ToolNameError', 'MCP_BAD_TOOL_NAME'],
      ['ToolSchemaError', 'MCP_BAD_SCHEMA'],
    ]);
  });
});

it('the public door of @fledge/mcp/oauth-bridge gives three names', () => {
  expect(Object.keys(bridge).sort()).toEqual([
    'OauthBridge',
    'OauthBridgeModule',
    'redisBridgeStore',
  ]);
});
