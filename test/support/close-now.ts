import type { Server } from 'node:http';
import type { INestApplication } from '@nestjs/common';

/**
 * Closes an application and every connection to it. Clients can open connections that they never
 * use, even after they were closed. Node.js' server waits a minute for the first request on such a
 * connection.
 */
export async function closeNow(app: INestApplication): Promise<void> {
  const server = app.getHttpServer() as Server;
  server.on('connection', (socket) => socket.destroy());
  server.closeAllConnections();
  await app.close();
}
