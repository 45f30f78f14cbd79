import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import type { INestApplication } from '@nestjs/common';
import type { AbstractHttpAdapter } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';

export function platformAdapter(platform: string | undefined): AbstractHttpAdapter {
  return platform === 'Fastify' ? new FastifyAdapter() : new ExpressAdapter();
}

/** @returns the port, one that was free */
export async function listen(app: INestApplication): Promise<number> {
  await app.listen(0, '127.0.0.1');
  return ((app.getHttpServer() as Server).address() as AddressInfo).port;
}
