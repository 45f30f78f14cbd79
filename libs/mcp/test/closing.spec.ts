// Calls under way while the application closes.
import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, type NestApplicationOptions } from '@nestjs/common';
import { McpCallInfo } from '../src/serve/call/mcp-call-info.decorator.js';
import type { McpCall } from '../src/serve/call/mcp-call.js';
import { McpResource } from '../src/publish/decorators/mcp-resource.decorator.js';
import { McpTool } from '../src/publish/decorators/mcp-tool.decorator.js';
import { McpAdapter } from '../src/mcp.adapter.js';
import { controllers, type RunningApp, startApp } from './support/app.js';
import {
  type ClientBehaviour,
  connectEra,
  type Era,
  type EraClient,
  eras,
} from './support/eras.js';
import { platforms } from '../../../test/support/platforms.js';
import { until } from '../../../test/support/until.js';
import { postModern } from './support/modern-wire.js';
import { INITIALIZE } from './support/wire.js';

let release: (() => void) | undefined;

const waiting = () =>
  new Promise((resolve) => {
    release = () => resolve({ done: true });
  });

@Controller()
class SlowController {
  @Get('slow')
  @McpTool({ name: 'slow', description: 'Waits until released' })
  slow() {
    return waiting();
  }

  @Get('report')
  @McpResource({ uri: 'slow://report', description: 'Waits until released' })
  report() {
    return waiting();
  }

  @Get('stuck')
  @McpTool({ name: 'stuck', description: 'Never ends', timeoutMs: 200 })
  stuck() {
    return new Promise(() => undefined);
  }

  @Get('ask')
  @McpTool({ name: 'ask', description: 'Asks the user' })
  async ask(@McpCallInfo() call: McpCall) {
    const schema = { type: 'object', properties: { ok: { type: 'boolean' } } };
    return await call.elicit({ message: 'Well?', schema });
  }
}

describe.each(platforms)('an application on $name that closes', ({ adapter }) => {
  let running: RunningApp;
  const clients: EraClient[] = [];
  afterEach(async () => {
    for (const { client } of clients.splice(0)) await client.close();
    await running.close();
  });

  async function connect(...[era, behaviour]: [era: Era, behaviour?: ClientBehaviour]) {
    const client = await connectEra(era, running.endpoint, behaviour);
    clients.push(client);
    return client;
  }

  const start = async (app: NestApplicationOptions = {}) => {
    release = undefined;
    running = await startApp(adapter(), { ...controllers(SlowController), app });
  };

  describe.each(eras)('with a client of %s', (era) => {
    it('answers the call under way first', async () => {
      await start();
      const client = await connect(era);
      const call = client.call('slow');
      await until(() => release !== undefined);
      const closed = running.app.close();
      // New calls are refused meanwhile, so that there is an end.
      await until(async () => (await running.wire.post(INITIALIZE)).status === 503);
      release?.();
      expect(await call).toMatchObject({ content: [{ text: '{"done":true}' }], isError: false });
      await closed;
    });

    it('answers the read of a resource first', async () => {
      await start();
      const { client } = await connect(era);
      const read = client.readResource({ uri: 'slow://report' });
      await until(() => release !== undefined);
      const closed = running.app.close();
      await until(async () => (await running.wire.post(INITIALIZE)).status === 503);
      release?.();
      expect((await read).contents).toMatchObject([{ text: '{"done":true}' }]);
      await closed;
    });

    it('waits for a call no longer than its time-out', async () => {
      await start();
      const client = await connect(era);
      const call = client.call('stuck');
      await until(() => running.app.get(McpAdapter).introspect().metrics?.['calls'] === 1);
      const closed = running.app.close();
      expect(await call).toMatchObject({ isError: true });
      await closed;
    });
  });

  it('ends a call that waits for the user, and the stream of the session', async () => {
    await start();
    let asked = false;
    const client = await connect('2025-11-25', {
      elicit: () => {
        asked = true;
        return new Promise<object>(() => undefined);
      },
    });
    const call = client.call('ask');
    await until(() => asked);
    const closed = running.app.close();
    expect(await call).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('the server is shutting down') }],
    });
    await closed;
  });

  it('ends a subscription that waits for `visible`', async () => {
    let show: (() => void) | undefined;
    running = await startApp(adapter(), {
      ...controllers(SlowController),
      mcp: { visible: () => new Promise((resolve) => (show = () => resolve(true))) },
    });
    const listening = postModern(running.wire, {
      method: 'subscriptions/listen',
      params: { notifications: { resourceSubscriptions: ['slow://report'] } },
    });
    await until(() => show !== undefined);
    const closed = running.app.close();
    await until(async () => (await running.wire.post(INITIALIZE)).status === 503);
    show?.();
    expect((await listening).text).toContain('"resultType":"complete"');
    await closed;
  });

  it('refuses new requests with a JSON-RPC error', async () => {
    await start();
    const client = await connect('2025-11-25');
    const call = client.call('slow');
    await until(() => release !== undefined);
    const closed = running.app.close();
    await until(async () => (await running.wire.post(INITIALIZE)).status === 503);
    for (const method of ['POST', 'GET']) {
      expect(await running.wire.send(method)).toMatchObject({
        status: 503,
        message: { error: { code: -32000, message: 'The server is shutting down' } },
      });
    }
    release?.();
    await call;
    await closed;
  });

  it('drops connections after the answers, where it is told to cut them', async () => {
    await start({ forceCloseConnections: true });
    const client = await connect('2025-11-25');
    const call = client.call('slow');
    await until(() => release !== undefined);
    const closed = running.app.close();
    await until(async () => (await running.wire.post(INITIALIZE)).status === 503);
    release?.();
    expect(await call).toMatchObject({ content: [{ text: '{"done":true}' }] });
    await closed;
  });
});
