// The server of the conformance suite lists tools that clients accept, except for what the suite itself demands.
import { expect, it } from '@jest/globals';
import { NestFactory } from '@nestjs/core';
import { McpAdapter } from '@fledge/mcp';
import { AppModule } from '../apps/conformance/src/app.module.js';
import { brokenClientRules } from './support/client-rules.js';

it('lists one tool that clients reject: that of json-schema-2020-12', async () => {
  const app = await NestFactory.create(AppModule, { logger: false });
  await app.init();
  const tools = app.get(McpAdapter, { strict: false }).getTools();
  expect(tools.length).toBeGreaterThan(10);
  expect(brokenClientRules(tools)).toEqual([
    'json_schema_2020_12_tool: has allOf at its root',
    'json_schema_2020_12_tool: has if at its root',
  ]);
  await app.close();
});
