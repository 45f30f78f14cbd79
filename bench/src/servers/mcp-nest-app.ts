import type { Type } from '@nestjs/common';
import { loadPackage } from '@nestjs/common/internal';
import { NestFactory } from '@nestjs/core';
import { McpStrategy, StreamableHttpTransport } from '@rekog/mcp-nest';
import { listen, platformAdapter } from './platform.js';
import { report } from './report.js';

/** Serves the tools of a module at `/mcp`, by @rekog/mcp-nest with its defaults. */
export async function serveMcpNest(
  module: Type,
  { platform, stateful }: { platform: string | undefined; stateful: boolean },
): Promise<void> {
  // Nest would look for it beside itself, at the root, where nothing else needs it.
  await loadPackage('@nestjs/microservices', 'bench', () => import('@nestjs/microservices'));
  const strategy = new McpStrategy({
    name: 'bench',
    version: '0.0.0',
    logging: false,
    transports: [new StreamableHttpTransport({ statefulMode: stateful })],
  });
  const app = await NestFactory.create(module, platformAdapter(platform), {
    logger: ['error', 'warn'],
  });
  strategy.setHttpAdapter(app.getHttpAdapter());
  app.connectMicroservice({ strategy });
  await app.startAllMicroservices();
  report(await listen(app));
}
