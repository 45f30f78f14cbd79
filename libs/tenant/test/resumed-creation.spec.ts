import { PGlite } from '@electric-sql/pglite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import pg from 'pg';
import { type TenantContext, TenantModule, type TenantRecord } from '@fledge/tenant';
import {
  singleConnectionLedger,
  TenantLifecycle,
  TenantLifecycleModule,
  type TenantLifecycleOptions,
} from '@fledge/tenant/lifecycle';

const options = { logger: false, abortOnError: false } as const;

describe('create() with resume', () => {
  let pglite: PGlite;
  beforeAll(async () => {
    pglite = await PGlite.create();
  });
  afterAll(() => pglite.close());

  let app: INestApplicationContext;
  let seeded: unknown[];
  const records = new Map<string, TenantRecord>();

  beforeEach(async () => {
    seeded = [];
    records.clear();
    const store = {
      find: (id: string) => records.get(id),
      list: () => records.values(),
      save: (record: TenantRecord) => records.set(record.tenantId, record),
    };
    @Module({
      imports: [
        TenantModule.forRoot({ strategy: 'header', store }),
        TenantLifecycleModule.forRoot({
          ledger: singleConnectionLedger(pglite),
          tenant: { seed: ({ data }: TenantContext) => void seeded.push(data) },
        }),
      ],
    })
    class AppModule {}
    app = await NestFactory.createApplicationContext(AppModule, options);
  });
  afterEach(() => app.close());

  it.each(['provisioning', 'active'] as const)(
    'rejects values that the stored record of a tenant that is %s does not have',
    async (status) => {
      const tenantId = `of-${status}`;
      records.set(tenantId, { tenantId, status, data: { plan: 'free', limits: { max: 1 } } });
      const given = { plan: 'secret', limits: { max: 1 }, region: 'eu' };
      const created = app
        .get(TenantLifecycle)
        .create({ tenantId, data: given, retryAfterSeconds: 9 }, { resume: true });
      await expect(created).rejects.toMatchObject({
        code: 'TENANT_INVALID_OPTION',
        message:
          `The stored record of the tenant "${tenantId}" has another value for \`retryAfterSeconds\`, ` +
          '`plan`, `region`, and resuming a creation does not change the record. Omit these values, ' +
          'or change them in the store.',
      });
      expect(seeded).toEqual([]);
      expect(records.get(tenantId)).toMatchObject({ status, data: { plan: 'free' } });
    },
  );

  it.each([[undefined], [{}], [{ limits: { max: 1 }, name: undefined }]])(
    'accepts the data %j, and uses the stored data',
    async (data) => {
      const tenantId = `same-${JSON.stringify(data)?.length ?? 0}`;
      const stored = { plan: 'free', limits: { max: 1 } };
      records.set(tenantId, { tenantId, status: 'provisioning', data: stored });
      const record = { tenantId, ...(data && { data }) };
      await app.get(TenantLifecycle).create(record, { resume: true });
      expect(seeded).toEqual([stored]);
      expect(records.get(tenantId)).toMatchObject({ status: 'active', data: stored });
    },
  );
});

it('does not start with a pool as its ledger', async () => {
  const ledger = new pg.Pool() as unknown as TenantLifecycleOptions['ledger'];
  @Module({
    imports: [
      TenantModule.forRoot({ strategy: 'header' }),
      TenantLifecycleModule.forRoot({ ledger }),
    ],
  })
  class AppModule {}
  await expect(NestFactory.createApplicationContext(AppModule, options)).rejects.toThrow(
    'TenantLifecycleModule.forRoot({ ledger }) is an object, but must be a connection to the central database, such as pgLedger(pool).',
  );
});
