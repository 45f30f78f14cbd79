import { expect, it } from '@jest/globals';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { fastifyInternal, middlewareOfFastify } from './fastify-symbols.js';

it('finds the options and hooks of Fastify, also from a plugin, and the middleware of middie', async () => {
  const adapter = new FastifyAdapter();
  const fastify = adapter.getInstance();
  expect(middlewareOfFastify(fastify)).toBeUndefined();
  await adapter.init();
  adapter.use('/notes', () => undefined);
  expect(middlewareOfFastify(fastify)).toEqual([['/notes', expect.any(Function)]]);
  expect(fastifyInternal(fastify, 'fastify.options')).toHaveProperty('routerOptions.constraints');
  await fastify.register(async (plugin) => {
    expect(fastifyInternal(plugin, 'fastify.hooks')).toHaveProperty('onRequest');
  });
  expect(fastifyInternal(fastify, 'fastify.unknown')).toBeUndefined();
  expect(fastifyInternal(undefined, 'fastify.options')).toBeUndefined();
  await adapter.close();
});
