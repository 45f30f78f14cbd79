import type { Server } from 'node:http';
import type { INestApplication } from '@nestjs/common';

/**
 * Closes an application and every connection to it. Clients open connections that they then do not
 * use, also after they were closed; a server of Node.js waits a minute for the first request of such a
 * connection before it closes.
 */
export async function closeNow(app: INestApplication): Promise<void> {
  const server = app.getHttpServer() as Server;
  server.on('connection', (socket) => socket.destroy());
  server.closeAllConnections();
  await app.close();
}
