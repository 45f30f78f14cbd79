import { afterEach, describe, expect, it } from '@jest/globals';
import type { INestApplication, Type } from '@nestjs/common';
import { IoAdapter } from '@nestjs/platform-socket.io';
import { WsAdapter } from '@nestjs/platform-ws';
import { SubscribeMessage, WebSocketGateway } from '@nestjs/websockets';
import { GraphqlSubscriptionsModule } from '@fledge/graphql';
import { buildSchema } from 'graphql';
import { io } from 'socket.io-client';
import { EventEmitter, once } from 'node:events';
import { type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { WebSocket } from 'ws';
import { closeAll, createApp, platforms, serve } from '../../../test/support/platforms.js';
import { hangUp, upgrade, Wire } from './support/sockets.js';
import { until } from '../../../test/support/until.js';

afterEach(async () => {
  hangUp();
  await closeAll();
});

/** Subscriptions at a path, whose one event is its name. */
function endpoint(path: string, name = path) {
  return GraphqlSubscriptionsModule.forRoot({
    schema: buildSchema('type Query { q: Int } type Subscription { name: String }'),
    rootValue: {
      name: async function* () {
        yield { name };
      },
    },
    path,
  });
}

async function nameAt(url: string): Promise<unknown> {
  const wire = await Wire.connect(url);
  wire.subscribe('1', 'subscription { name }');
  return (await wire.events('1', 1))[0];
}

@WebSocketGateway({ path: '/gw' })
class Gateway {
  @SubscribeMessage('echo')
  echo(_: unknown, data: unknown) {
    return { event: 'echo', data };
  }
}

@WebSocketGateway({ path: '/io', transports: ['websocket'] })
class IoGateway {}

describe.each(platforms)('upgrades on $name', (platform) => {
  const start = (
    imports: object[],
    providers: Type[] = [],
    prepare?: (app: INestApplication) => void,
  ) => serve({ imports: imports as never[], providers }, platform, prepare);

  it('reach the endpoint with exactly their path, also if paths overlap', async () => {
    const { url } = await start([
      endpoint('/graphql'),
      endpoint('/graphql-admin'),
      endpoint('/q/'),
    ]);
    expect(await nameAt(`${url}/graphql`)).toEqual({ name: '/graphql' });
    expect(await nameAt(`${url}/graphql-admin?token=1`)).toEqual({ name: '/graphql-admin' });
    expect(await nameAt(`${url}/q`)).toEqual({ name: '/q/' });
    const notFound = { status: 404, body: 'Not Found' };
    for (const path of ['/', '/graphq', '/graphql/', '/graphql/x', '/Graphql', '/graphqlx']) {
      expect([path, await upgrade(`${url}${path}`)]).toEqual([path, notFound]);
    }
  });

  it('are served below the global prefix', async () => {
    const { url } = await start([endpoint('/graphql'), endpoint('/open')], [], (app) =>
      app.setGlobalPrefix('/api/', { exclude: ['open'] }),
    );
    expect(await nameAt(`${url}/api/graphql`)).toEqual({ name: '/graphql' });
    expect(await nameAt(`${url}/open`)).toEqual({ name: '/open' });
    for (const path of ['/graphql', '/api/open', '/api', '/apix/graphql']) {
      expect(await upgrade(`${url}${path}`)).toMatchObject({ status: 404 });
    }
  });

  it('go to gateways of platform-ws, which still destroy upgrades of unknown paths', async () => {
    const { url } = await start([endpoint('/q'), endpoint('/gw-q')], [Gateway], (app) =>
      app.useWebSocketAdapter(new WsAdapter(app)),
    );
    expect(await nameAt(`${url}/q`)).toEqual({ name: '/q' });
    expect(await nameAt(`${url}/gw-q`)).toEqual({ name: '/gw-q' });
    const gateway = new WebSocket(`${url.replace('http', 'ws')}/gw`);
    await once(gateway, 'open');
    gateway.send(JSON.stringify({ event: 'echo', data: 'hi' }));
    const [echo] = (await once(gateway, 'message')) as [Buffer];
    expect(JSON.parse(echo.toString())).toEqual({ event: 'echo', data: 'hi' });
    gateway.terminate();
    expect(await upgrade(`${url}/nowhere`)).toBe('hang up');
  });

  it('go to Socket.IO', async () => {
    const { url } = await start([endpoint('/q')], [IoGateway], (app) =>
      app.useWebSocketAdapter(new IoAdapter(app)),
    );
    const client = io(url, { path: '/io', transports: ['websocket'] });
    try {
      await new Promise((resolve, reject) => {
        client.on('connect', () => resolve(undefined));
        client.on('connect_error', reject);
      });
      expect(await nameAt(`${url}/q`)).toEqual({ name: '/q' });
      expect(client.connected).toBe(true);
    } finally {
      client.close();
    }
  });

  it('go to listeners added later, until those are removed', async () => {
    const { app, url } = await start([endpoint('/q')]);
    const server = app.getHttpServer() as Server;
    const late = (_req: unknown, socket: Socket) => socket.end('HTTP/1.1 418 Teapot\r\n\r\n');
    server.prependListener('upgrade', late);
    expect(await upgrade(`${url}/tea`)).toMatchObject({ status: 418 });
    expect(await nameAt(`${url}/q`)).toEqual({ name: '/q' });
    server.off('upgrade', late);
    expect(await upgrade(`${url}/tea`)).toMatchObject({ status: 404 });
  });

  it('stop the boot if two endpoints share a path', async () => {
    const app = await createApp({ imports: [endpoint('/q'), endpoint('q')] }, platform.adapter());
    await expect(app.init()).rejects.toMatchObject({
      code: 'GRAPHQL_SOCKET_PATH_TAKEN',
      message:
        'Another GraphQL module already serves WebSockets at "/q". ' +
        'Give one of the two a different path, or disable its subscriptions.',
    });
  });

  it('belong to one application and end with it', async () => {
    const [first, second] = [
      await start([endpoint('/q', 'first')]),
      await start([endpoint('/q', 'second')]),
    ];
    expect(await nameAt(`${first.url}/q`)).toEqual({ name: 'first' });
    expect(await nameAt(`${second.url}/q`)).toEqual({ name: 'second' });
    const server = first.app.getHttpServer() as Server;
    await first.app.close();
    expect(await nameAt(`${second.url}/q`)).toEqual({ name: 'second' });
    expect(server.listenerCount('upgrade')).toBe(0);
    expect(server.emit).toBe(EventEmitter.prototype.emit);
  });

  it('without an answer by other listeners do not keep the application from closing', async () => {
    const { app, url } = await start([endpoint('/q')]);
    let heard = 0;
    (app.getHttpServer() as Server).on('upgrade', () => (heard += 1));
    const hanging = upgrade(`${url}/hang`);
    await until(() => heard === 1);
    await app.close();
    expect(await hanging).toBe('hang up');
  });

  it('survive clients that reset the connection', async () => {
    const { app, url } = await start([endpoint('/q')]);
    let heard = 0;
    (app.getHttpServer() as Server).on('upgrade', () => (heard += 1));
    const port = Number(new URL(url).port);
    for (const path of ['/hang', '/hang', '/q']) {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
      );
      if (path === '/hang') await until(() => heard > 0);
      socket.resetAndDestroy();
    }
    expect(await nameAt(`${url}/q`)).toEqual({ name: '/q' });
  });
});
