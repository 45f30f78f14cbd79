import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { AbstractHttpAdapter } from '@nestjs/core';

/** The platforms of every whole-flow test: `describe.each(platforms)('%s', (_, adapter) => ...)`. */
export const platforms: [name: string, adapter: () => AbstractHttpAdapter][] = [
  ['Express', () => new ExpressAdapter()],
  ['Fastify', () => new FastifyAdapter()],
];
