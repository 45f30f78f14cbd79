// The warning itself is in processes/forgotten-module.spec.ts: it comes from a timer that is silent in tests.
import { afterEach, expect, it, jest } from '@jest/globals';
import { Test } from '@nestjs/testing';
import { McpModule } from '../src/mcp.module.js';
import { McpCallInfo } from '../src/serve/call/mcp-call-info.decorator.js';
import { neededMcpModule } from '../src/publish/decorators/mcp-module-needed.js';

afterEach(() => {
  jest.restoreAllMocks();
});

it('counts McpModule as imported once Nest creates it, not when forRoot() is called', async () => {
  const imported = jest.spyOn(neededMcpModule, 'import');
  const module = McpModule.forRoot({ name: 'a' });
  expect(imported).not.toHaveBeenCalled();
  const testing = await Test.createTestingModule({ imports: [module] }).compile();
  expect(imported).toHaveBeenCalled();
  await testing.close();
});

it('is needed by @McpCallInfo()', () => {
  const needed = jest.spyOn(neededMcpModule, 'need');
  McpCallInfo();
  expect(needed).toHaveBeenCalled();
});
