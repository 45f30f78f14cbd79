// The example of the page "Write an extension".
import { readFileSync } from 'node:fs';
import { afterEach, expect, it } from '@jest/globals';
import { Controller, Get, type INestApplication, Logger } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { McpModule, McpTool } from '@fledge/mcp';
import { EXTENSIONS } from '../src/extensions/index.js';
import { MCP_EXTENSIONS } from '../src/serve/methods/extension.js';
import { closeNow } from '../../../test/support/close-now.js';
import { platforms } from '../../../test/support/platforms.js';
import { connectEra } from './support/eras.js';
import { type SlowCallsOption, slowCalls } from './example-extension/slow-calls.js';

@Controller('notes')
class NotesController {
  @Get()
  @McpTool({ name: 'wait', description: 'Waits' })
  async wait() {
    await new Promise((resolve) => setTimeout(resolve, 30));
    return 'waited';
  }
}

const warnings: string[] = [];
let app: INestApplication | undefined;
afterEach(async () => {
  if (app) await closeNow(app);
  app = undefined;
});

it.each([
  [20, [expect.stringMatching(/^wait at \/_mcp\/messages took \d+ ms$/)]],
  [1_000_000, []],
])('logs calls of more than %d ms', async (limitMs, expected) => {
  const options: { name: string } & SlowCallsOption = { name: 'spec', slowCalls: limitMs };
  const testing = await Test.createTestingModule({
    imports: [McpModule.forRoot(options)],
    controllers: [NotesController],
  })
    .overrideProvider(MCP_EXTENSIONS)
    .useValue([slowCalls, ...EXTENSIONS])
    .setLogger({
      ...new Logger(),
      log: () => undefined,
      error: () => undefined,
      warn: (text: string) => void warnings.push(text),
    })
    .compile();
  app = testing.createNestApplication(platforms[0]!.adapter());
  await app.listen(0, '127.0.0.1');
  const client = await connectEra('2026-07-28', `${await app.getUrl()}/_mcp/messages`);
  await client.call('wait');
  await client.close();
  expect(warnings.splice(0).filter((text) => text.includes(' took '))).toEqual(expected);
});

it('stands in the page as it is', () => {
  const page = readFileSync(new URL('../src/extensions/README.md', import.meta.url), 'utf8');
  const source = readFileSync(new URL('example-extension/slow-calls.ts', import.meta.url), 'utf8');
  expect(page).toContain(source.trim());
});
