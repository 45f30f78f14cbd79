import { expect, it } from '@jest/globals';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { hasHooks } from './adapter-hooks.js';

it.each([ExpressAdapter, FastifyAdapter])('sees each of the two hooks of %p', (Adapter) => {
  const adapters = [new Adapter(), new Adapter()];
  expect(adapters.map(hasHooks)).toEqual([false, false]);
  adapters[0]!.setOnRequestHook((_req, _res, done) => done());
  adapters[1]!.setOnResponseHook(() => undefined);
  expect(adapters.map(hasHooks)).toEqual([true, true]);
});
