// An application with a schema for each tenant, as nest build compiles it. `FAILING` names a tenant whose
// migration fails, `SLOW` makes each take so many seconds.
import { type DynamicModule, Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { escapeIdentifier, Pool } from 'pg';
import {
  type TenantContext,
  TenantModule,
  type TenantRecord,
  type TenantStore,
} from '@fledge/tenant';
import { pgLedger, type TenantStepContext, TenantLifecycleModule } from '@fledge/tenant/lifecycle';

const print = (text: string) => void process.stdout.write(`${text}\n`);

@Injectable()
class Central {
  readonly pool = new Pool({ connectionString: process.env['DATABASE_URL'] as string });

  async onApplicationShutdown() {
    await this.pool.end();
    print('closed the pool');
  }
}

@Module({ providers: [Central], exports: [Central] })
class CentralModule {}

@Injectable()
class Companies implements TenantStore {
  // tsc emits the type of the parameter, which Nest injects.
  constructor(private readonly central: Central) {}

  async find(id: string): Promise<TenantRecord | undefined> {
    return (await this.list()).find(({ tenantId }) => tenantId === id);
  }

  async list(): Promise<TenantRecord[]> {
    const sql = 'select id as "tenantId", status from company order by id';
    return (await this.central.pool.query<TenantRecord>(sql)).rows;
  }

  async save({ tenantId, status }: TenantRecord): Promise<void> {
    const sql = `insert into company values ($1, $2) on conflict (id) do update set status = excluded.status`;
    await this.central.pool.query(sql, [tenantId, status]);
  }

  async remove(tenantId: string): Promise<void> {
    await this.central.pool.query('delete from company where id = $1', [tenantId]);
  }
}

@Module({ imports: [CentralModule], providers: [Companies], exports: [Companies] })
class CompaniesModule {}

/** Stands for queue workers, timers and audits, which a command must not start. */
@Injectable()
class Worker implements OnModuleInit {
  onModuleInit() {
    print('THE WORKER STARTED');
  }
}

const { FAILING, SLOW = '0', TARGET = 'one' } = process.env;

const lifecycle: DynamicModule = TenantLifecycleModule.forRootAsync({
  imports: [CentralModule],
  inject: [Central],
  useFactory: ({ pool }: Central) => ({
    ledger: pgLedger(pool),
    central: {
      target: 'one',
      migrate: () =>
        pool.query('create table if not exists company (id text primary key, status text)'),
    },
    tenant: {
      target: TARGET,
      provision: ({ tenantId }: TenantContext) =>
        pool.query(`create schema if not exists ${escapeIdentifier(tenantId)}`),
      migrate: async ({ tenantId }: TenantContext, { log }: TenantStepContext) => {
        log('migrates');
        await pool.query('select pg_sleep($1)', [SLOW]);
        const table = `${escapeIdentifier(tenantId)}.note`;
        await pool.query(`create table if not exists ${table} (text text)`);
        if (tenantId === FAILING) await pool.query('select 1/0');
        print(`migrated ${tenantId}`);
      },
      drop: ({ tenantId }: TenantContext) =>
        pool.query(`drop schema if exists ${escapeIdentifier(tenantId)} cascade`),
    },
    tasks: { hello: ({ tenantId }: TenantContext) => print(`hello ${tenantId}`) },
  }),
});

@Module({
  imports: [
    TenantModule.forRootAsync({
      imports: [CompaniesModule],
      inject: [Companies],
      useFactory: (store: Companies) => ({ strategy: 'header' as const, store }),
    }),
    ...(process.env['WITHOUT'] === undefined ? [lifecycle] : []),
  ],
  providers: [Worker],
})
class AppModule {}

// Loads only one platform: tests start this file many times, and loading takes most of a start.
async function createAdapter(platform: string | undefined) {
  if (platform === 'fastify') {
    const { FastifyAdapter } = await import('@nestjs/platform-fastify');
    return new FastifyAdapter();
  }
  const { ExpressAdapter } = await import('@nestjs/platform-express');
  return new ExpressAdapter();
}

async function bootstrap() {
  print('starting, on stdout');
  const { PLATFORM } = process.env;
  if (PLATFORM === 'context') {
    await NestFactory.createApplicationContext(AppModule);
  } else {
    const app = await NestFactory.create(AppModule, await createAdapter(PLATFORM));
    app.enableShutdownHooks();
    await app.listen(0);
  }
  print('IT SERVES');
}
void bootstrap();
