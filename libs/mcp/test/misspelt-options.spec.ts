// Wherever an application passes options, a misspelt name is refused with its place and the name that was meant.
// Those of `McpModule.forRoot()` are in mcp.defaults.spec.ts, those of decorators in decorator-mistakes.spec.ts.
import { McpModule, McpOptionError, type McpSourceTool, McpTool } from '@fledge/mcp';
import { OauthBridgeModule } from '@fledge/mcp/oauth-bridge';
import { redisSessions, redisTasks } from '@fledge/mcp/redis';
import { createMcpTestClient } from '@fledge/mcp/testing';
import { describe, expect, it, jest } from '@jest/globals';
import { Controller, type DynamicModule, Get, type INestApplication, Logger } from '@nestjs/common';
import { Test } from '@nestjs/testing';

@Controller('notes')
class NotesController {
  @Get()
  @McpTool({ name: 'notes', description: 'Reads the notes', task: true })
  all() {
    return [];
  }
}

async function start(mcp: () => DynamicModule): Promise<INestApplication> {
  const AppModule = { module: class AppModule {}, imports: [mcp()] };
  const testing = await Test.createTestingModule({
    imports: [AppModule],
    controllers: [NotesController],
  }).compile();
  return await testing.createNestApplication({ logger: false }).init();
}

/** A Redis client also has a method connect(). */
const REDIS = { connect: () => Promise.resolve(), duplicate: () => undefined };
const OTHER = { connect: () => Promise.resolve({ close: () => Promise.resolve() }) };

describe('a misspelt option', () => {
  it.each<[string, () => unknown]>([
    [
      'redisSessions({ prefx }) is not an option. Did you mean prefix? The options are client, prefix.',
      () => redisSessions({ client: {}, prefx: 'a' } as never),
    ],
    [
      'redisTasks({ clent }) is not an option. Did you mean client?',
      () => redisTasks({ clent: {} } as never),
    ],
    [
      'redisTasks({ client }) is an object, but must be an ioredis client, such as new Redis().',
      () => redisTasks({ client: {} } as never),
    ],
    ['redisTasks() is undefined, but must be an object with', () => redisTasks(undefined as never)],
  ])('of a store: %s', (message, call) => {
    expect(call).toThrow(McpOptionError);
    expect(call).toThrow(message);
  });

  it('of forRootAsync stops the startup', async () => {
    const started = start(() =>
      McpModule.forRootAsync({ useFactroy: () => ({ name: 'a' }) } as never),
    );
    await expect(started).rejects.toThrow(McpOptionError);
    await expect(started).rejects.toThrow(
      'McpModule.forRootAsync({ useFactroy }) is not an option. Did you mean useFactory?',
    );
  });

  it('that a factory returns stops the startup', async () => {
    const useFactory = () => ({ name: 'a', limits: { timeOut: 1 } as object });
    await expect(start(() => McpModule.forRootAsync({ useFactory }))).rejects.toThrow(
      'McpModule.forRoot({ limits.timeOut }) is not an option. Did you mean timeoutMs?',
    );
  });

  it.each([undefined, null])('missing altogether stop the startup: %s', async (none) => {
    for (const { name, module } of [
      { name: 'McpModule', module: () => McpModule.forRoot(none as never) },
      {
        name: 'McpModule',
        module: () => McpModule.forRootAsync({ useFactory: () => none as never }),
      },
      { name: 'OauthBridgeModule', module: () => OauthBridgeModule.forRoot(none as never) },
      {
        name: 'OauthBridgeModule',
        module: () => OauthBridgeModule.forRootAsync({ useFactory: () => none as never }),
      },
    ]) {
      const started = start(module);
      await expect(started).rejects.toThrow(McpOptionError);
      await expect(started).rejects.toThrow(
        `${name}.forRoot() is ${none}, but must be an object with`,
      );
    }
  });

  it.each<[object, string]>([
    [
      { descripton: 'x' },
      'The option { descripton } of the tool at rpc.ts is not an option. Did you mean description?',
    ],
    [
      { request: { method: 'POST', path: '/rpc', acept: 'text/plain' } },
      'The option { request.acept } of the tool at rpc.ts is not an option. Did you mean accept?',
    ],
    [
      { annotations: { readOnly: true } },
      'The option { annotations.readOnly } of the tool at rpc.ts is not an option. Did you mean readOnlyHint?',
    ],
    [
      { request: undefined },
      'The option { request } of the tool at rpc.ts is undefined, but must be',
    ],
  ])('of a tool source stops the startup: %j', async (given, message) => {
    const tool = {
      name: 'rpc',
      description: 'Calls a procedure',
      place: 'rpc.ts',
      inputSchema: { type: 'object' },
      request: { method: 'POST', path: '/rpc' },
      ...given,
    } as McpSourceTool;
    const toolSources = [{ tools: () => [tool] }];
    const started = start(() => McpModule.forRoot({ name: 'a', toolSources }));
    await expect(started).rejects.toThrow(McpOptionError);
    await expect(started).rejects.toThrow(message);
  });

  it.each([
    [{ sessions: { store: REDIS } }, 'sessions.store }) is an object, but must be a session store'],
    [{ tasks: { store: REDIS } }, 'tasks.store }) is an object, but must be a store with'],
    [
      { sessions: { store: OTHER } },
      'it has no method open(). Pass a store such as redisSessions(',
    ],
    [{ tasks: { store: OTHER } }, 'it has no method add(). Pass a store such as redisTasks('],
    [{ limits: { timeoutMs: 3e9 } }, 'but must be a whole number from 1 to 2073600000'],
    [{ sessions: { idleTimeoutMs: 3e9 } }, 'but must be a whole number from 1 to 2073600000'],
  ])('value stops the startup: %j', async (options, message) => {
    const started = start(() => McpModule.forRoot({ name: 'a', ...options } as never));
    await expect(started).rejects.toThrow(message);
  });

  it.each([
    [undefined, 1],
    ['s'.repeat(32), 0],
  ])(
    'or a missing `stateSecret` of shared sessions is reported: %s',
    async (stateSecret, times) => {
      const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
      const options = { sessions: { store: OTHER }, ...(stateSecret && { stateSecret }) };
      const started = start(() => McpModule.forRoot({ name: 'a', ...options } as never));
      await expect(started).rejects.toThrow('sessions');
      const texts = warn.mock.calls.filter(([text]) => String(text).includes('stateSecret'));
      expect(texts).toHaveLength(times);
      warn.mockRestore();
    },
  );

  it('of the test client is refused', async () => {
    const app = await start(() => McpModule.forRoot({ name: 'a' }));
    await expect(createMcpTestClient(app, { tokn: 'x' } as object)).rejects.toThrow(
      'createMcpTestClient({ tokn }) is not an option. Did you mean token?',
    );
    const client = await createMcpTestClient(app);
    const direct = { method: 'GET', path: '/notes', boddy: {} };
    await expect(client.expectSameAsHttp('notes', {}, direct)).rejects.toThrow(
      'expectSameAsHttp({ boddy }) is not an option. Did you mean body?',
    );
    await client.close();
    await app.close();
  });
});
