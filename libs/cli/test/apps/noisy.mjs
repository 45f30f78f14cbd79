// An application in which everything prints. PLATFORM is express or fastify, TOKEN what it asks for.
import './noise.mjs';
import { Buffer } from 'node:buffer';
import { setTimeout } from 'node:timers/promises';
import 'reflect-metadata';
import {
  Controller,
  Get,
  HttpException,
  Injectable,
  Module,
  Param,
  Req,
  StreamableFile,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { McpModule, McpTool } from '@fledge/mcp';

class Provider {
  constructor() {
    console.log('by provider');
  }
}
Injectable()(Provider);

class NoisyController {
  token(request) {
    console.log('by route');
    console.info({ an: 'object' });
    process.stdout.write('without a line end');
    return { authorization: request.headers.authorization ?? null };
  }
  refuse() {
    throw new HttpException('Not today', 409);
  }
  echo(id) {
    return { id };
  }
  image() {
    return new StreamableFile(Buffer.from('89504e470d0a1a0a', 'hex'), { type: 'image/png' });
  }
  end() {
    process.exit(7);
  }
  async slow() {
    console.error('slow is under way');
    await setTimeout(60_000);
  }
}

function tool(method, path, description) {
  const { prototype } = NoisyController;
  const descriptor = Object.getOwnPropertyDescriptor(prototype, method);
  for (const decorate of [Get(path), McpTool({ name: `noisy_${method}`, description })]) {
    decorate(prototype, method, descriptor);
  }
}
Req()(NoisyController.prototype, 'token', 0);
Param('id')(NoisyController.prototype, 'echo', 0);
Reflect.defineMetadata('design:paramtypes', [String], NoisyController.prototype, 'echo');
tool('token', 'token', 'Tells what token it was called with');
tool('refuse', 'refuse', 'Always refuses');
tool('echo', 'echo/:id', 'Answers its argument');
tool('image', 'image', 'An image');
tool('end', 'end', 'Ends the process');
tool('slow', 'slow', 'Takes a minute');
Controller()(NoisyController);

const { PLATFORM, PORT, TOKEN, SEARCH } = process.env;
class AppModule {}
Module({
  imports: [
    McpModule.forRoot({
      name: 'noisy',
      search: SEARCH === '1',
      ...(TOKEN && { auth: { type: 'bearer', validate: (token) => token === TOKEN } }),
    }),
  ],
  controllers: [NoisyController],
  providers: [Provider],
})(AppModule);

// Loads only one platform: tests start this file many times, and loading takes most of a start.
async function createAdapter() {
  if (PLATFORM === 'fastify') {
    const { FastifyAdapter } = await import('@nestjs/platform-fastify');
    // Fastify's logger is pino, which writes to a descriptor of its own.
    return new FastifyAdapter({ logger: true });
  }
  const { ExpressAdapter } = await import('@nestjs/platform-express');
  return new ExpressAdapter();
}

const adapter = await createAdapter();
const app = await NestFactory.create(AppModule, adapter);
if (PLATFORM === 'fastify') adapter.getInstance().log.info('by pino');
await app.listen(PORT ?? 0);
console.log(`at ${await app.getUrl()}`);
