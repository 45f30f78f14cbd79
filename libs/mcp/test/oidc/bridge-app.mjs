// One of several processes of an application with a bridge at `/oauth`. Arguments: Express or Fastify, the public
// origin of the application, the upstream provider, port of Redis. Prints its port when it listens.
import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { Redis } from 'ioredis';
import { McpCall, McpCallInfo, McpModule, McpTool } from '@fledge/mcp';
import { OauthBridge, OauthBridgeModule, redisBridgeStore } from '@fledge/mcp/oauth-bridge';
import { serveProcess } from '../support/serve-process.mjs';

// oidc-provider warns of Node.js 20.
console.warn = () => undefined;

const [, , platform, origin, upstream, redisPort] = process.argv;
const issuer = `${origin}/oauth`;
const endpoint = `${origin}/_mcp/messages`;

class WhoController {
  constructor(bridge) {
    this.bridge = bridge;
  }

  /** The person whom the token names, and the one whom the provider knows by the tokens that are kept. */
  async who(call) {
    const { id, sub, email } = call.principal;
    const tokens = await this.bridge.upstreamTokensOf(sub);
    const authorization = `Bearer ${tokens?.accessToken}`;
    const me = await fetch(`${upstream}/me`, { headers: { authorization } });
    return { id, email, upstream: (await me.json()).sub, pid: process.pid };
  }

  pid() {
    return { pid: process.pid };
  }
}
const { prototype } = WhoController;
const define = (name, types) => {
  const descriptor = Object.getOwnPropertyDescriptor(prototype, name);
  Reflect.defineMetadata('design:paramtypes', types, prototype, name);
  Get(name)(prototype, name, descriptor);
  McpTool({ name, description: name, scopes: ['tasks.read'] })(prototype, name, descriptor);
};
McpCallInfo()(prototype, 'who', 0);
define('who', [McpCall]);
define('pid', []);
Reflect.defineMetadata('design:paramtypes', [OauthBridge], WhoController);
Controller()(WhoController);

const client = new Redis({ port: Number(redisPort) });
// While it is away, ioredis says so for each attempt to connect.
client.on('error', () => undefined);

class AppModule {}
Module({
  imports: [
    McpModule.forRoot({
      name: 'tasks',
      sessions: { max: 100 },
      auth: { type: 'oidc', issuer, audience: endpoint },
    }),
    OauthBridgeModule.forRoot({
      issuer,
      resources: [endpoint],
      scopes: ['tasks.read'],
      secrets: ['a secret with at least thirty-two bytes'],
      store: redisBridgeStore({ client }),
      upstream: {
        name: 'Example Hub',
        issuer: upstream,
        clientId: 'bridge',
        clientSecret: 'bridge-secret',
        identify: (_tokens, { sub }) => ({ id: sub, claims: { email: `${sub}@example.com` } }),
      },
    }),
  ],
  controllers: [WhoController],
})(AppModule);

await serveProcess(AppModule, platform);
