// Routes of @fastify/websocket, whose handlers get the socket before the request.
import { afterEach, describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { ContextModule } from '@fledge/core';
import { currentRequestContext } from '@fledge/core/packages';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { WebSocket } from 'ws';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';
import { addFastifyHook, SharedConnection } from '../../../test/support/shared-connection.js';

afterEach(closeAll);

const [, fastify] = platforms;
// Mercurius brings it along.
const require = createRequire(createRequire(import.meta.url).resolve('mercurius'));
const websocket = require('@fastify/websocket') as unknown;

interface FastifyInstance {
  register(plugin: unknown): void;
  route(options: object): void;
}

const users = ['first', 'a', 'b', 'a'];
const sayUser = (socket: WebSocket) =>
  socket.send(String(currentRequestContext()?.headers['x-user']));
const noSocket = () => 'no socket';

@Module({ imports: [ContextModule] })
class AppModule {}

describe.each([
  ['a route for sockets', { websocket: true, handler: sayUser }],
  ['a route with a handler for sockets', { wsHandler: sayUser, handler: noSocket }],
])('%s of Fastify', (_, route) => {
  it.each([
    ['behind a hook that continues in a callback', 'preHandler'],
    ['behind no hook', undefined],
  ])('runs in the context of its request, %s', async (__, hook) => {
    const { url } = await serve(AppModule, fastify!, (app) => {
      if (hook !== undefined) addFastifyHook(app, hook, new SharedConnection());
      const instance = app.getHttpAdapter().getInstance() as FastifyInstance;
      instance.register(websocket);
      instance.register((scope: FastifyInstance, ___: unknown, done: () => void) => {
        scope.route({ method: 'GET', url: '/socket', ...route });
        done();
      });
    });
    const heard: string[] = [];
    for (const user of users) {
      const headers = { 'x-user': user };
      const socket = new WebSocket(`${url.replace('http', 'ws')}/socket`, { headers });
      const [message] = (await once(socket, 'message')) as [Buffer];
      heard.push(message.toString());
      socket.terminate();
    }
    expect(heard).toEqual(users);
  });
});
