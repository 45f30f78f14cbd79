import { expect, it } from '@jest/globals';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { fastifyInternal } from './fastify-symbols.js';

it("finds the class of Fastify's requests, also from a plugin", async () => {
  const adapter = new FastifyAdapter();
  const fastify = adapter.getInstance();
  await adapter.init();
  const found = fastifyInternal<{ readonly prototype: object }>(fastify, 'fastify.Request');
  expect('ip' in (found?.prototype ?? {})).toBe(true);
  await fastify.register(async (plugin) => {
    expect(fastifyInternal(plugin, 'fastify.Request')).toBeInstanceOf(Function);
  });
  expect(fastifyInternal(fastify, 'fastify.unknown')).toBeUndefined();
  expect(fastifyInternal(undefined, 'fastify.Request')).toBeUndefined();
  await adapter.close();
});
