// Mercurius adds its route in a plugin of Fastify, whose instance is not that of the application.
import { afterEach, expect, it } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { GraphqlApolloModule, GraphqlContextFactory } from '@fledge/graphql/apollo';
import { closeAll, createApp, platforms } from '../../../test/support/platforms.js';
import { call } from './support/requests.js';

afterEach(closeAll);

it('GraphqlContextFactory.create finds the application of a route that a Fastify plugin adds', async () => {
  const fastify = platforms.find(({ name }) => name === 'Fastify')!;
  const app = (await createApp(
    { imports: [GraphqlApolloModule.forRoot()] },
    fastify.adapter(),
  )) as NestFastifyApplication;
  await app.init();
  await app.register((plugin, _options, done) => {
    plugin.get('/plugin', async (req, reply) => {
      const create = GraphqlContextFactory.create as unknown as (
        ...args: unknown[]
      ) => Promise<object>;
      return { keys: Object.keys(await create(req, reply)) };
    });
    done();
  });
  await app.listen(0, '127.0.0.1');
  expect((await call(`${await app.getUrl()}/plugin`)).body).toEqual({ keys: ['ctx', 'container'] });
});
