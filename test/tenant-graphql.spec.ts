// Whoever is authenticated is held against the tenant of a GraphQL request as against that of any
// other: at a mount, at its sockets and in Apollo, whoever found out the user.
import { afterEach, describe, expect, it } from '@jest/globals';
import { type INestApplication, Module, type Type } from '@nestjs/common';
import { ContextModule, defineHttpContextDecorator } from '@fledge/core';
import { type TenantAdapterOptions, TenantModule } from '@fledge/tenant';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { closeAll, platforms, serve } from './support/platforms.js';
import { served } from './support/served-tenants.js';
import { endpoints, hello, USER, type User } from './support/tenant-endpoints.js';

afterEach(async () => {
  served.length = 0;
  await closeAll();
});

type Principal = NonNullable<TenantAdapterOptions['verify']>['principal'];

const tenantOf = (req: { readonly user?: unknown }) => (req.user as User | undefined)?.tenantId;
const principals: readonly (readonly [string, Principal])[] = [
  ['at once', tenantOf],
  ['later', (req) => new Promise((resolve) => setImmediate(() => resolve(tenantOf(req))))],
];
const verified = (principal: Principal): TenantAdapterOptions => ({
  strategy: 'header',
  verify: { principal, required: true },
});

const LoadUser = defineHttpContextDecorator({
  key: 'user',
  // Of a socket it is known since it was opened.
  resolve: (ctx) => (ctx.headers['authorization'] === undefined ? ctx.get('user') : USER),
});

describe.each(platforms)('binding on $name', (platform) => {
  const cases = Object.entries(endpoints).flatMap(([name, endpoint]) =>
    principals.map(([when, principal]) => ({ name, endpoint, when, principal })),
  );
  describe.each(cases)('at $name, where principal returns $when', ({ endpoint, principal }) => {
    const boot = async () => {
      @Module({
        imports: [
          ContextModule.forRoot({ contributors: [LoadUser] }),
          TenantModule.forRoot(verified(principal)),
          endpoint(),
        ],
      })
      class AppModule {}
      return serve(AppModule as Type, platform);
    };

    const ask = async (app: INestApplication, headers: Record<string, string>) =>
      hello(`${await app.getUrl()}/graphql`, headers);

    it('a user of one tenant gets nothing of another', async () => {
      const { app } = await boot();
      const authorization = 'Bearer ada';
      expect(await ask(app, { authorization, 'x-tenant-id': 'globex' })).toContain(
        'TENANT_MISMATCH',
      );
      expect(await ask(app, { 'x-tenant-id': 'acme' })).toContain('TENANT_MISMATCH');
      expect(served).toEqual([]);
      expect(await ask(app, { authorization, 'x-tenant-id': 'acme' })).toContain('world');
      expect(served).toEqual(['acme']);
    });

    it('nor does a subscriber, whom onConnect knows', async () => {
      const { url } = await boot();
      const first = async (tenant: string) => {
        const client = createClient({
          url: `${url.replace('http', 'ws')}/graphql`,
          webSocketImpl: WebSocket,
          connectionParams: { 'x-tenant-id': tenant },
          retryAttempts: 0,
        });
        try {
          const { value } = await client.iterate({ query: 'subscription { tick }' }).next();
          return JSON.stringify(value);
        } catch (error) {
          return JSON.stringify(error);
        } finally {
          await client.dispose();
        }
      };
      expect(await first('globex')).toContain('TENANT_MISMATCH');
      expect(served).toEqual([]);
      expect(await first('acme')).toContain('"tick":1');
      expect(served).toEqual(['acme']);
    });
  });
});
