// An operation of a socket uses the instance of its tenant, such as a connection, until it ends.
import { afterEach, describe, expect, it } from '@jest/globals';
import { GraphqlMountModule, GraphqlOperations } from '@fledge/graphql';
import { TenantModule } from '@fledge/tenant';
import { TenantConnectionsModule } from '@fledge/tenant/connections';
import { closeAll, platforms, serve } from './support/platforms.js';
import { until } from './support/until.js';
import { feed } from '../libs/graphql/test/support/feed.js';
import { hangUp, Wire } from '../libs/graphql/test/support/sockets.js';

const DB = Symbol('DB');
const SIGNALLED = 'subscription { signalled { n } }';

afterEach(async () => {
  hangUp();
  await closeAll();
});

describe.each(platforms)('the instance of a tenant on $name', (platform) => {
  async function start() {
    const { schema, generators } = feed();
    const created: string[] = [];
    const disposed: string[] = [];
    const connections = TenantConnectionsModule.forRoot<{ readonly of: string }>({
      provide: DB,
      create: ({ tenantId }) => {
        created.push(tenantId);
        return { of: tenantId };
      },
      dispose: (db) => void disposed.push(db.of),
      max: 1,
    });
    const { app, url } = await serve(
      {
        imports: [
          TenantModule.forRoot({ strategy: 'header' }),
          connections,
          GraphqlMountModule.forRoot({
            schema,
            subscriptions: { operations: 'all', revalidate: true, onConnect: () => true },
          }),
        ],
      },
      platform,
    );
    const connect = (tenant: string) => Wire.connect(`${url}/graphql`, { 'x-tenant-id': tenant });
    return { app, connect, created, disposed, generators };
  }

  it('is kept while an operation of a socket uses it, and not longer', async () => {
    const { app, connect, created, disposed, generators } = await start();
    const acme = await connect('acme');
    acme.subscribe('1', SIGNALLED);
    await until(() => generators.running === 1);
    const globex = await connect('globex');
    const query = async (id: string) => {
      globex.subscribe(id, '{ hello }');
      expect((await globex.answer(id)).payload).toEqual({ data: { hello: 'world' } });
    };
    await query('1');
    await query('2');
    expect([new Set(created), disposed.includes('acme')]).toEqual([
      new Set(['acme', 'globex']),
      false,
    ]);
    // The context of a check does not keep the instance either.
    expect(await app.get(GraphqlOperations, { strict: false }).revalidate()).toMatchObject({
      valid: 1,
    });
    acme.complete('1');
    await until(() => generators.running === 0);
    await query('3');
    await until(() => disposed.includes('acme'));
  });
});
