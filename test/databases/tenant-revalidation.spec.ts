// Needs Redis.
// Revalidation looks the tenant up again: over sockets of a mount and of Apollo, and over event streams. And calls
// reach the other processes by Redis, as the page about revalidation has it.
import { afterEach, describe, expect, it } from '@jest/globals';
import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import {
  Injectable,
  Module,
  type ModuleMetadata,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { GraphQLModule, Int, Query, Resolver, Subscription } from '@nestjs/graphql';
import {
  GraphqlMountModule,
  GraphqlOperations,
  GraphqlSubscriptionsModule,
  type OperationFilter,
} from '@fledge/graphql';
import { yoga } from '@fledge/graphql/yoga';
import { TenantModule, type TenantRecord } from '@fledge/tenant';
import { PubSub } from 'graphql-subscriptions';
import { Redis } from 'ioredis';
import { hangUp, Wire } from '../../libs/graphql/test/support/sockets.js';
import { openStream } from '../../libs/graphql/test/support/streams.js';
import { closeAll, platforms, serve } from '../support/platforms.js';
import { until } from '../support/until.js';

const pubsub = new PubSub();
const ticks = () => pubsub.asyncIterableIterator('tick');

afterEach(async () => {
  hangUp();
  await closeAll();
});

@Resolver()
class Ticks {
  @Query(() => Int)
  one() {
    return 1;
  }

  @Subscription(() => Int)
  tick() {
    return ticks();
  }
}

/** As on the page: passes calls on to all processes. */
@Injectable()
class EveryProcess implements OnModuleInit, OnModuleDestroy {
  private readonly publisher = new Redis(process.env['REDIS_URL'] ?? '', { lazyConnect: true });
  private readonly subscriber = this.publisher.duplicate();

  constructor(private readonly operations: GraphqlOperations) {}

  async onModuleInit() {
    this.subscriber.on('message', (_channel, filter) => {
      this.operations.end(JSON.parse(filter) as OperationFilter);
    });
    await this.subscriber.subscribe('end subscriptions');
  }

  async end(filter: OperationFilter) {
    await this.publisher.publish('end subscriptions', JSON.stringify(filter));
  }

  onModuleDestroy() {
    this.publisher.disconnect();
    this.subscriber.disconnect();
  }
}

const mount = (): ModuleMetadata => ({
  imports: [
    GraphqlMountModule.forRoot({
      typeDefs: 'type Query { one: Int } type Subscription { tick: Int! }',
      rootValue: { tick: ticks },
      runtime: yoga(),
      subscriptions: { revalidate: true },
    }),
  ],
});
const apollo = (): ModuleMetadata => ({
  imports: [
    GraphQLModule.forRoot<ApolloDriverConfig>({ driver: ApolloDriver, autoSchemaFile: true }),
    GraphqlSubscriptionsModule.forApollo({ revalidate: true }),
  ],
  providers: [Ticks],
});

describe.each(platforms)('subscriptions of tenants on $name', (platform) => {
  async function start({ imports = [], providers = [] }: ModuleMetadata) {
    const records: Record<string, TenantRecord> = {
      acme: { tenantId: 't1' },
      globex: { tenantId: 't2' },
    };
    const state = { down: false };
    const tenants = TenantModule.forRoot({
      strategy: 'header',
      cache: false,
      store: (name) => {
        if (state.down) throw new Error('The store is down');
        return records[name];
      },
    });
    @Module({ imports: [tenants, ...imports], providers })
    class AppModule {}
    const { app, url } = await serve(AppModule, platform);
    const operations = app.get(GraphqlOperations, { strict: false });
    const subscribe = async (tenant: string) => {
      const wire = await Wire.connect(`${url}/graphql`, { 'x-tenant-id': tenant });
      wire.subscribe('1', 'subscription { tick }');
      return wire;
    };
    const running = (count: number) =>
      until(() => operations.list().filter(({ kind }) => kind === 'subscription').length === count);
    return { app, url: `${url}/graphql`, operations, records, state, subscribe, running };
  }

  it.each([
    ['a mount', mount],
    ['Apollo', apollo],
  ])(
    'of %s end if their tenant is suspended, and those of others go on',
    async (_name, endpoint) => {
      const { operations, records, state, subscribe, running } = await start(endpoint());
      const [acme, globex] = [await subscribe('acme'), await subscribe('globex')];
      await running(2);
      expect(await operations.revalidate()).toEqual({ valid: 2, ended: 0, failed: 0 });
      state.down = true;
      expect(await operations.revalidate()).toEqual({ valid: 0, ended: 0, failed: 2 });
      state.down = false;
      records['acme'] = { tenantId: 't1', status: 'suspended' };
      expect(await operations.revalidate()).toEqual({ valid: 1, ended: 1, failed: 0 });
      expect(await acme.answer('1')).toMatchObject({
        type: 'error',
        payload: [{ extensions: { code: 'TENANT_SUSPENDED' } }],
      });
      // The identifier goes to another tenant.
      records['globex'] = { tenantId: 't3' };
      expect(await operations.revalidate({ tenant: 't2' })).toMatchObject({ ended: 1 });
      expect(await globex.answer('1')).toMatchObject({
        payload: [{ message: 'The tenant has changed', extensions: { code: 'FORBIDDEN' } }],
      });
    },
  );

  it('over event streams end if their tenant is suspended', async () => {
    const { operations, records, url, running } = await start(mount());
    const stream = await openStream(url, 'subscription { tick }', { 'x-tenant-id': 'acme' });
    await running(1);
    expect(await operations.revalidate()).toMatchObject({ valid: 1 });
    records['acme'] = { tenantId: 't1', status: 'suspended' };
    expect(await operations.revalidate()).toMatchObject({ ended: 1 });
    await stream.ended;
    expect(stream.text()).toMatch(/TENANT_SUSPENDED.*\n[^]*event: complete/);
  });

  it('end by the id of their tenant, in each process that Redis reaches', async () => {
    const processes = await Promise.all(
      [mount(), mount()].map(({ imports = [] }) => start({ imports, providers: [EveryProcess] })),
    );
    const wires = await Promise.all(processes.map(({ subscribe }) => subscribe('acme')));
    await Promise.all(processes.map(({ subscribe }) => subscribe('globex')));
    await Promise.all(processes.map(({ running }) => running(2)));
    await processes[0]!.app.get(EveryProcess).end({ tenant: 't1' });
    for (const wire of wires) {
      expect(await wire.answer('1')).toMatchObject({
        payload: [{ extensions: { code: 'SUBSCRIPTION_ENDED' } }],
      });
    }
    await Promise.all(processes.map(({ running }) => running(1)));
  });
});
