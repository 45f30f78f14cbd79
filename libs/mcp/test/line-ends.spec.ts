// Characters that some clients take for the end of a line of an event stream.
import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, Post } from '@nestjs/common';
import { type McpCall, McpCallInfo, McpPrompt, McpResource, McpTool } from '../src/index.js';
import { controllers, type RunningApp, startApp } from './support/app.js';
import { connectEra, eras } from './support/eras.js';
import { postModern } from './support/modern-wire.js';
import { platforms } from '../../../test/support/platforms.js';

const RAW = /[\u0085\u2028\u2029]/;
const TEXT = 'one\u2028two\u2029three\u0085four';

@Controller()
class CopiedController {
  @Get('copied')
  @McpTool({ name: 'copied', description: `Returns ${TEXT}` })
  @McpResource({ uri: 'texts://copied', description: TEXT, mimeType: 'text/plain' })
  @McpPrompt({ name: 'copied', description: TEXT })
  copied() {
    return TEXT;
  }

  @Post('told')
  @McpTool({ name: 'told', description: 'Logs' })
  told(@McpCallInfo() call: McpCall) {
    call.log('info', TEXT);
    call.progress(1, 1, TEXT);
    return TEXT;
  }
}

const REQUESTS = [
  ['tools/list', {}],
  ['tools/call', { name: 'copied' }],
  ['tools/call', { name: 'told', _meta: { progressToken: 1 } }],
  ['resources/list', {}],
  ['resources/read', { uri: 'texts://copied' }],
  ['prompts/list', {}],
  ['prompts/get', { name: 'copied' }],
] as const;

let running: RunningApp;
afterEach(() => running.close());

describe.each(platforms)('line ends in texts on $name', ({ adapter }) => {
  it.each([[undefined], [{ retryMs: 10 }]])(
    'are escaped in the events of sessions, with resume %j',
    async (resume) => {
      running = await startApp(adapter(), {
        ...controllers(CopiedController),
        mcp: { sessions: { max: 1, ...(resume && { resume }) } },
      });
      const headers = {
        'mcp-session-id': await running.wire.initialize(),
        'mcp-protocol-version': '2025-11-25',
      };
      for (const [method, params] of REQUESTS) {
        const sent = { jsonrpc: '2.0', id: method + JSON.stringify(params), method, params };
        const { text } = await running.wire.post(sent, headers);
        expect([method, text]).toEqual([method, expect.stringContaining('one\\u2028two')]);
        expect(text).toContain('data: {');
        expect(text).not.toMatch(RAW);
      }
    },
  );

  it('are escaped in the events of 2026-07-28', async () => {
    running = await startApp(adapter(), controllers(CopiedController));
    const { headers, text } = await postModern(running.wire, {
      method: 'tools/call',
      params: {
        name: 'told',
        arguments: {},
        _meta: { progressToken: 1, 'io.modelcontextprotocol/logLevel': 'debug' },
      },
    });
    expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(text).toContain('one\\u2028two');
    expect(text).not.toMatch(RAW);
  });

  it.each(eras)('reach a client of %s as they are', async (era) => {
    running = await startApp(adapter(), controllers(CopiedController));
    const client = await connectEra(era, running.endpoint);
    expect((await client.call('copied')).content).toEqual([{ type: 'text', text: TEXT }]);
    await client.close();
  });
});
