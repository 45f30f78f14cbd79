// What a call costs beyond the direct request, in counts: unlike times, they do not depend on the machine.
import { createHook } from 'node:async_hooks';
import { Agent, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { McpTool } from '../src/publish/decorators/mcp-tool.decorator.js';
import { controllers, type RunningApp, startApp } from './support/app.js';
import { platforms } from '../../../test/support/platforms.js';

@Controller('things')
class ThingsController {
  @Get(':id')
  @McpTool({ name: 'find', description: 'Finds' })
  find(@Param('id') id: string) {
    return { id };
  }

  @Post(':id')
  @HttpCode(200)
  replace(@Param('id') id: string) {
    return { id };
  }
}

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

const CALL = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'find', arguments: { id: '1' } },
};
const ACCEPT = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};
const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'spec', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

const WARM = 50;
const COUNTED = 50;

interface Cost {
  readonly promises: number;
  readonly ticks: number;
}

/** Promises and ticks of one request, by callbacks alone: the client adds no promise. */
function costOf(sent: Sent): Promise<Cost> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const counts = { PROMISE: 0, TickObject: 0 };
  const hook = createHook({
    init(_id, type) {
      if (type === 'PROMISE' || type === 'TickObject') counts[type]++;
    },
  });
  return new Promise((resolve, reject) => {
    let left = WARM + COUNTED;
    const next = () => {
      if (left === COUNTED) hook.enable();
      if (left-- === 0) {
        hook.disable();
        agent.destroy();
        const { PROMISE, TickObject } = counts;
        return resolve({
          promises: Math.round(PROMISE / COUNTED),
          ticks: Math.round(TickObject / COUNTED),
        });
      }
      const { method, url, headers, body } = sent;
      const going = request(url, { method, headers, agent }, (answer) => {
        if (answer.statusCode !== 200) reject(new Error(`answered ${answer.statusCode}`));
        answer.on('data', () => undefined);
        // Later: what the server does after its answer belongs to this request.
        answer.on('end', () => setTimeout(next, 1));
      });
      going.on('error', reject);
      going.end(body);
    };
    next();
  });
}

/** No more than the call has cost so far. Lower the bound where it costs less. */
function expectAtMost(cost: Cost, most: Cost): void {
  expect([cost.promises <= most.promises, cost.ticks <= most.ticks, cost]).toEqual([
    true,
    true,
    cost,
  ]);
}

describe.each(platforms)('the cost of a tool call on $name', ({ adapter }) => {
  let running: RunningApp;

  beforeAll(async () => {
    running = await startApp(adapter(), controllers(ThingsController));
  });
  afterAll(() => running.close());

  /** What a call costs more than a direct request with the same body: reading it costs more since Node.js 22. */
  async function beyondDirect(sent: Omit<Sent, 'url' | 'method'>) {
    const direct = await costOf({ ...sent, method: 'POST', url: `${running.url}/things/1` });
    const call = await costOf({ method: 'POST', url: running.endpoint, ...sent });
    return { promises: call.promises - direct.promises, ticks: call.ticks - direct.ticks };
  }

  it('in a session', async () => {
    const session = await running.wire.initialize();
    const cost = await beyondDirect({
      headers: { ...ACCEPT, 'mcp-session-id': session },
      body: JSON.stringify(CALL),
    });
    expectAtMost(cost, { promises: 4, ticks: 7 });
  });

  it('of revision 2026-07-28', async () => {
    const cost = await beyondDirect({
      headers: {
        ...ACCEPT,
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'find',
      },
      body: JSON.stringify({ ...CALL, params: { ...CALL.params, _meta: ENVELOPE } }),
    });
    expectAtMost(cost, { promises: 4, ticks: 7 });
  });
});
