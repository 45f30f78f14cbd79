// Malformed parameters of methods that are served.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, Query } from '@nestjs/common';
import { McpPrompt } from '../src/publish/decorators/mcp-prompt.decorator.js';
import { McpResource } from '../src/publish/decorators/mcp-resource.decorator.js';
import { McpTool } from '../src/publish/decorators/mcp-tool.decorator.js';
import { controllers, type RunningApp, startApp } from './support/app.js';
import { type Era, eras } from './support/eras.js';
import { platforms } from '../../../test/support/platforms.js';
import { INITIALIZE } from './support/wire.js';

@Controller()
class EverythingController {
  @Get('tool')
  @McpTool({ name: 'tool', description: 'A tool' })
  tool() {
    return 'tool';
  }

  @Get('resource')
  @McpResource({ uri: 'x://resource', description: 'A resource' })
  resource() {
    return 'resource';
  }

  @Get('names')
  names() {
    return ['ada'];
  }

  @Get('prompt')
  @McpPrompt({ name: 'prompt', description: 'A prompt', complete: { who: 'names' } })
  prompt(@Query('who') who: string) {
    return `Hello ${who}`;
  }
}

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'wire', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** `String()` throws for this value. */
const UNPRINTABLE = { toString: null };

const BOTH: [method: string, params: Record<string, unknown>, fault: string][] = [
  ['tools/call', {}, 'Missing argument "name".'],
  ['tools/call', { name: 7 }, '/name must be string.'],
  ['tools/call', { name: UNPRINTABLE }, '/name must be string.'],
  ['tools/call', { name: [UNPRINTABLE] }, '/name must be string.'],
  ['resources/read', { uri: UNPRINTABLE }, '/uri must be string.'],
  ['tools/call', { name: 'tool', arguments: [1] }, '/arguments must be object.'],
  ['tools/list', { cursor: 5 }, '/cursor must be string.'],
  ['resources/read', {}, 'Missing argument "uri".'],
  ['resources/list', { cursor: {} }, '/cursor must be string.'],
  ['resources/templates/list', { cursor: 1 }, '/cursor must be string.'],
  ['prompts/list', { cursor: true }, '/cursor must be string.'],
  ['prompts/get', { arguments: {} }, 'Missing argument "name".'],
  ['prompts/get', { name: 'prompt', arguments: { who: 1 } }, '/arguments/who must be string.'],
  [
    'completion/complete',
    { ref: { type: 'ref/prompt' }, argument: { name: 'who', value: '' } },
    '/ref must have the property "name".',
  ],
  [
    'completion/complete',
    { ref: { type: 'ref/prompt', name: 'prompt' }, argument: {} },
    '/argument must have the property "name".',
  ],
];

/** Some clients send null for a parameter that they could omit. */
const NULLS: [method: string, params: Record<string, unknown>][] = [
  ['tools/call', { name: 'tool', arguments: null }],
  ['prompts/get', { name: 'prompt', arguments: null }],
  ['tools/list', { cursor: null }],
];

const OF_SESSIONS: typeof BOTH = [
  [
    'logging/setLevel',
    { level: 'loud' },
    '/level must be one of "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency".',
  ],
  ['resources/subscribe', {}, 'Missing argument "uri".'],
  ['resources/unsubscribe', { uri: 1 }, '/uri must be string.'],
];

describe.each(platforms)('malformed parameters on $name', ({ adapter }) => {
  let running: RunningApp;
  beforeAll(async () => {
    running = await startApp(adapter(), controllers(EverythingController));
  });
  afterAll(() => running.close());

  async function faultOf(era: Era, method: string, params: Record<string, unknown>) {
    const { wire } = running;
    const message = { jsonrpc: '2.0', id: 1, method, params };
    if (era === '2025-11-25') {
      return wire.post(message, { 'mcp-session-id': await wire.initialize() });
    }
    const name = params['name'] ?? params['uri'];
    const sent = typeof name === 'string' ? name : 'tool';
    return wire.post(
      { ...message, params: { ...params, _meta: META } },
      {
        'mcp-protocol-version': era,
        'mcp-method': method,
        ...(name !== undefined && { 'mcp-name': sent }),
      },
    );
  }

  describe.each(eras)('in %s', (era) => {
    it.each(era === '2025-11-25' ? [...BOTH, ...OF_SESSIONS] : BOTH)(
      'of %s are named: %j',
      async (method, params, fault) => {
        const { status, message } = await faultOf(era, method, params);
        expect([status, message.error]).toEqual([
          200,
          { code: -32602, message: `Invalid parameters of ${method}: ${fault}` },
        ]);
      },
    );

    it.each(NULLS)('of %s may be null: %j', async (method, params) => {
      const { status, message } = await faultOf(era, method, params);
      expect([status, message.error]).toEqual([200, undefined]);
    });
  });

  it('of initialize are named, with and without a session', async () => {
    const { wire } = running;
    const params = { ...INITIALIZE.params, clientInfo: { name: 'wire' } };
    const session = await wire.initialize();
    for (const headers of [{}, { 'mcp-session-id': session }]) {
      expect(await wire.post({ ...INITIALIZE, params }, headers)).toMatchObject({
        status: 400,
        message: {
          id: 0,
          error: {
            code: -32602,
            message:
              'Invalid parameters of initialize: /clientInfo must have the property "version".',
          },
        },
      });
    }
  });
});
