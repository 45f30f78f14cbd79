import { afterEach, describe, expect, it } from '@jest/globals';
import { currentRequestContext, RequestContexts } from '@fledge/core/packages';
import { GraphqlSubscriptionsModule } from '@fledge/graphql';
import { setTimeout as wait } from 'node:timers/promises';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';
import { feed, TenantsModule } from './support/feed.js';
import { hangUp, Wire } from './support/sockets.js';
import { until } from '../../../test/support/until.js';

const SUBSCRIBERS = 50;
const TENANTS = 5;
const EVENTS = 40;
const FIELDS = '{ n subscribed resolved field later }';

afterEach(async () => {
  hangUp();
  await closeAll();
});

describe.each(platforms)('tenants of subscribers on $name', (platform) => {
  it('are those of the subscriber for each event, not the publisher’s: 50 subscribers of 5 tenants', async () => {
    const { schema, publish, listeners } = feed();
    const { app, url } = await serve(
      { imports: [TenantsModule, GraphqlSubscriptionsModule.forRoot({ schema, path: '/g' })] },
      platform,
      (it) => it.setGlobalPrefix('api'),
    );
    const contexts = app.get(RequestContexts);
    const of = (tenant: string) =>
      contexts.open({ headers: { 'x-tenant-id': tenant }, method: 'POST', url: '/' });

    const subscribers = await Promise.all(
      Array.from({ length: SUBSCRIBERS }, async (_, i) => {
        const tenant = `tenant-${i % TENANTS}`;
        // By header as servers do, or by connectionParams as browsers must.
        const wire = await (i % 2 === 0
          ? Wire.connect(`${url}/api/g`, {}, { headers: { 'x-tenant-id': tenant } })
          : Wire.connect(`${url}/api/g`, { 'x-tenant-id': tenant }));
        wire.subscribe('tick', `subscription { tick ${FIELDS} }`);
        wire.subscribe('generated', `subscription { generated ${FIELDS} }`);
        return { wire, tenant };
      }),
    );
    await until(() => Object.keys(listeners()).length === 2 * SUBSCRIBERS);

    await Promise.all(
      Array.from({ length: EVENTS }, async (_, n) => {
        await wait(Math.random() * 100);
        const publisher = await of(`publisher-${n % 7}`);
        await contexts.run(publisher, async () => {
          expect(currentRequestContext()?.get('tenant')).toBe(`publisher-${n % 7}`);
          await publish(n);
        });
      }),
    );

    let events = 0;
    for (const { wire, tenant } of subscribers) {
      for (const id of ['tick', 'generated']) {
        for (const data of await wire.events(id, EVENTS)) {
          const { n, ...seen } = (data as Record<string, { n: number }>)[id]!;
          events += 1;
          expect([n >= 0, seen]).toEqual([
            true,
            {
              subscribed: id === 'tick' ? null : tenant,
              resolved: tenant,
              field: tenant,
              later: tenant,
            },
          ]);
        }
      }
    }
    expect(events).toBe(2 * SUBSCRIBERS * EVENTS);
  });

  it('may differ from the publisher’s, also with many subscriptions on one socket', async () => {
    const { schema, publish, listeners } = feed();
    const { app, url } = await serve(
      { imports: [TenantsModule, GraphqlSubscriptionsModule.forRoot({ schema })] },
      platform,
    );
    const wire = await Wire.connect(`${url}/graphql`, { 'x-tenant-id': 'acme' });
    for (let i = 0; i < 20; i += 1) wire.subscribe(`${i}`, `subscription { tick ${FIELDS} }`);
    await until(() => Object.keys(listeners()).length === 20);
    const contexts = app.get(RequestContexts);
    const publisher = await contexts.open({
      headers: { 'x-tenant-id': 'other' },
      method: 'POST',
      url: '/',
    });
    await contexts.run(publisher, () => publish(1));
    const acme = { n: 1, subscribed: null, resolved: 'acme', field: 'acme', later: 'acme' };
    for (let i = 0; i < 20; i += 1) {
      expect(await wire.events(`${i}`, 1)).toEqual([{ tick: acme }]);
    }
  });
});
