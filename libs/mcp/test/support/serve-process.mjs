import { NestFactory } from '@nestjs/core';
import { platformAdapter } from './platform-adapter.mjs';

/** Serves one of several processes on a free port, and prints the port. Ends on SIGTERM. */
export async function serveProcess(module, platform) {
  const adapter = await platformAdapter(platform, { forceCloseConnections: true });
  const app = await NestFactory.create(module, adapter, {
    logger: process.env.DEBUG ? undefined : false,
    forceCloseConnections: true,
  });
  app.enableShutdownHooks();
  await app.listen(0, '127.0.0.1');
  console.log(app.getHttpServer().address().port);
}
