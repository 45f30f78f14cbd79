// A mount as middleware runs before the hooks of Fastify. The application is warned.
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import fastifyHelmet from '@fastify/helmet';
import { Logger } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { GraphqlMountModule } from '@fledge/graphql';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';
import { query } from './support/requests.js';

afterEach(async () => {
  jest.restoreAllMocks();
  await closeAll();
});

const [express, fastify] = platforms;
const mount = (mountAs: 'middleware' | 'route') =>
  GraphqlMountModule.forRoot({
    typeDefs: 'type Query { hello: String }',
    rootValue: { hello: 'world' },
    mountAs,
  });

describe('a mount on Fastify whose application has hooks', () => {
  const start = async (mountAs: 'middleware' | 'route', protects: boolean) => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const { url } = await serve({ imports: [mount(mountAs)] }, fastify!, (app) => {
      if (!protects) return;
      const instance = (app as NestFastifyApplication).getHttpAdapter().getInstance();
      void (app as NestFastifyApplication).register(fastifyHelmet as never);
      instance.addHook('onRequest', (_request, reply, done) => {
        if (mountAs === 'route') void reply.code(429).send('slow down');
        else done();
      });
    });
    const { status } = await query(`${url}/graphql`, '{ hello }');
    return { status, warnings: warn.mock.calls.map(([text]) => String(text)) };
  };

  it('warns as middleware, for which they do not run', async () => {
    expect(await start('middleware', true)).toEqual({
      status: 200,
      warnings: [
        expect.stringMatching(
          /^GraphqlAdapter is mounted as middleware.*: onRequest \(\d\).*mountAs: 'route'/,
        ),
      ],
    });
  });

  it('warns about the plugin that adds hooks to each route', async () => {
    // As fastify-plugin marks a plugin.
    const plugin = Object.assign(
      (_instance: unknown, _options: unknown, done: () => void) => done(),
      {
        [Symbol.for('skip-override')]: true,
        [Symbol.for('plugin-meta')]: { name: '@fastify/rate-limit' },
      },
    );
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    await serve({ imports: [mount('middleware')] }, fastify!, (app) => {
      void (app as NestFastifyApplication).register(plugin as never);
    });
    expect(warn.mock.calls).toEqual([
      [expect.stringContaining('These hooks do not run for GraphqlAdapter: @fastify/rate-limit.')],
    ]);
  });

  it('runs them as a route, without a warning', async () => {
    expect(await start('route', true)).toEqual({ status: 429, warnings: [] });
  });

  it('does not warn without hooks', async () => {
    expect(await start('middleware', false)).toEqual({ status: 200, warnings: [] });
  });
});

it('a mount on Express does not warn', async () => {
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  await serve({ imports: [mount('middleware')] }, express!, (app) => app.enableCors());
  expect(warn).not.toHaveBeenCalled();
});
