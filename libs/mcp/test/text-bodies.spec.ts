// A body that is a string is sent as text/plain, which Express reads only with a text parser.
import { afterEach, describe, expect, it } from '@jest/globals';
import { Body, Controller, type INestApplication, Post } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { McpTool } from '@fledge/mcp';
import { platforms } from '../../../test/support/platforms.js';
import { controllers, type RunningApp, startApp } from './support/app.js';
import { textOf } from './support/clients.js';

@Controller()
class TextsController {
  @Post('texts')
  @McpTool({ name: 'save', description: 'Saves a text' })
  save(@Body() text: string) {
    return { text };
  }

  @Post('lists')
  @McpTool({ name: 'list', description: 'Saves a list' })
  list(@Body() list: string[]) {
    return { list };
  }
}

const silent = () => undefined;
const WARNING =
  'No body parser of the application reads text/plain, so a string for these routes is lost: ' +
  "TextsController.save. In main.ts, call app.useBodyParser('text').";

let running: RunningApp;
afterEach(() => running.close());

describe.each(platforms)('on $name', ({ name, adapter }) => {
  const start = async (main: (app: INestApplication) => void) => {
    const warnings: string[] = [];
    running = await startApp(adapter(), {
      ...controllers(TextsController),
      main(app) {
        app.useLogger({ log: silent, error: silent, warn: (text: string) => warnings.push(text) });
        main(app);
      },
    });
    return warnings.filter((text) => text.includes('body parser'));
  };

  it('startup warns if no parser reads a string', async () => {
    expect(await start(silent)).toEqual(name === 'Express' ? [WARNING] : []);
  });

  it('a string arrives, and nothing is logged', async () => {
    const warnings = await start((app) => {
      if (name === 'Express') (app as NestExpressApplication).useBodyParser('text');
    });
    expect(warnings).toEqual([]);
    const client = await running.connect();
    expect(textOf(await client.call('save', { body: 'hello' }))).toBe('{"text":"hello"}');
    await client.leave();
  });
});
