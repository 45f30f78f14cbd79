// Long answers, and many on one connection.
import { connect as connectSocket } from 'node:net';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Controller, Get, NotFoundException } from '@nestjs/common';
import { McpPrompt } from '../src/publish/decorators/mcp-prompt.decorator.js';
import { McpResource } from '../src/publish/decorators/mcp-resource.decorator.js';
import { McpTool } from '../src/publish/decorators/mcp-tool.decorator.js';
import { McpCallInfo } from '../src/serve/call/mcp-call-info.decorator.js';
import type { McpCall } from '../src/serve/call/mcp-call.js';
import { controllers, type RunningApp, startApp } from './support/app.js';
import { fakeOnly } from './support/fake-timers.js';
import { platforms } from '../../../test/support/platforms.js';
import { until } from '../../../test/support/until.js';
import { wire } from './support/wire.js';

let releases: (() => void)[] = [];
let gone = 0;

@Controller()
class SlowController {
  @Get('slow')
  @McpTool({ name: 'slow', description: 'Waits until released' })
  slow(@McpCallInfo() call: McpCall) {
    call.signal?.addEventListener('abort', () => gone++);
    return new Promise((resolve) => releases.push(() => resolve('done')));
  }

  @Get('page')
  @McpResource({ uri: 'slow://page', mimeType: 'text/plain' })
  @McpPrompt({ name: 'slow', description: 'Waits until released' })
  page() {
    return new Promise((resolve) => releases.push(() => resolve('done')));
  }

  @Get('broken')
  @McpResource({ uri: 'slow://broken' })
  broken() {
    return new Promise((_, reject) => releases.push(() => reject(new NotFoundException())));
  }
}

const STREAMED = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

/** A request of 2026-07-28. */
function requestOf(method: string, params: { readonly name: string } | { readonly uri: string }) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'wire', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return {
    method: 'POST',
    headers: {
      ...STREAMED,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      'mcp-name': 'name' in params ? params.name : params.uri,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
  };
}

const CALL = requestOf('tools/call', { name: 'slow' });
const REQUESTS = [
  ['tools/call', { name: 'slow' }, '"text":"done"'],
  ['resources/read', { uri: 'slow://page' }, '"text":"done"'],
  ['prompts/get', { name: 'slow' }, '"text":"done"'],
  ['resources/read', { uri: 'slow://broken' }, '"error":{"code":'],
] as const;

describe.each(platforms)('on $name', ({ adapter }) => {
  let running: RunningApp;
  afterEach(async () => {
    jest.useRealTimers();
    await running.close();
  });

  const start = async () => {
    releases = [];
    gone = 0;
    running = await startApp(adapter(), controllers(SlowController));
  };

  it('twenty pipelined calls print no warning, and end with their connection', async () => {
    await start();
    const warnings: unknown[] = [];
    const warned = (warning: unknown) => warnings.push(warning);
    process.on('warning', warned);
    const socket = connectSocket(Number(new URL(running.url).port), '127.0.0.1');
    const { headers, body } = CALL;
    const head = Object.entries({ host: 'localhost', ...headers, 'content-length': body.length });
    const request = `POST /_mcp/messages HTTP/1.1\r\n${head.map((h) => h.join(': ')).join('\r\n')}\r\n\r\n${body}`;
    socket.write(request.repeat(20));
    await until(() => releases.length === 20);
    let text = '';
    socket.on('data', (chunk) => (text += String(chunk)));
    for (const release of releases) release();
    await until(() => text.split('"text":"done"').length === 21);
    socket.write(request.repeat(20));
    await until(() => releases.length === 40);
    socket.destroy();
    await until(() => gone === 20);
    process.off('warning', warned);
    expect(warnings).toEqual([]);
  });

  it.each(REQUESTS)(
    'a long %s of 2026-07-28 gives signs of life: %j',
    async (method, params, end) => {
      jest.useFakeTimers(fakeOnly('setInterval'));
      await start();
      const answer = fetch(running.endpoint, requestOf(method, params));
      await until(() => releases.length === 1);
      jest.advanceTimersByTime(45_000);
      const { headers, body } = await answer;
      expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
      releases[0]?.();
      const text = await new Response(body).text();
      expect(text).toMatch(/^(: keepalive\n\n)+event: message\ndata: \{.*\}\n\n$/);
      expect(text).toContain(end);
    },
  );

  it.each(REQUESTS)(
    'a short %s of 2026-07-28 is answered as JSON: %j',
    async (method, params, end) => {
      jest.useFakeTimers(fakeOnly('setInterval'));
      await start();
      const answer = fetch(running.endpoint, requestOf(method, params));
      await until(() => releases.length === 1);
      jest.advanceTimersByTime(15_000);
      releases[0]?.();
      const { headers, body } = await answer;
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(await new Response(body).text()).toContain(end);
    },
  );

  it.each(REQUESTS)(
    'a long %s of a session gives signs of life: %j',
    async (method, params, end) => {
      jest.useFakeTimers(fakeOnly('setInterval'));
      await start();
      const session = await wire(running.endpoint).initialize();
      const answer = fetch(running.endpoint, {
        method: 'POST',
        headers: { ...STREAMED, 'mcp-session-id': session },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      });
      await until(() => releases.length === 1);
      jest.advanceTimersByTime(15_000);
      const { body } = await answer;
      releases[0]?.();
      const text = await new Response(body).text();
      expect(text).toMatch(/^(: keepalive\n\n)+event: message\ndata: \{.*\}\n\n$/);
      expect(text).toContain(end);
    },
  );
});
