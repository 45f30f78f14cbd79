// Migrates tenants by a recipe, through TenantLifecycle. Arguments: its file, and tenants. Prints the report.
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import pg from 'pg';
import { TenantModule } from '@fledge/tenant';
import { pgLedger, TenantLifecycle, TenantLifecycleModule } from '@fledge/tenant/lifecycle';

const [, , file, ...tenants] = process.argv;
const { tenant } = await import(file);
const records = tenants.map((tenantId) => ({ tenantId, status: 'active' }));
const store = {
  find: async (id) => records.find((it) => it.tenantId === id),
  list: async () => records,
};
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 4 });
class AppModule {}
Module({
  imports: [
    TenantModule.forRoot({ strategy: 'header', store }),
    TenantLifecycleModule.forRoot({
      ledger: pgLedger(pool),
      tenant: { ...tenant, target: () => '1' },
    }),
  ],
})(AppModule);
const app = await NestFactory.createApplicationContext(AppModule, { logger: false });
const lifecycle = app.get(TenantLifecycle);
const report = await lifecycle.migrate();
const outcomes = report.outcomes.map((it) => ({ ...it, error: it.error && String(it.error) }));
const { tenants: states } = await lifecycle.status({ pending: true });
const pending = states.map((it) => it.pending);
console.log(JSON.stringify({ ok: report.ok, outcomes, pending }));
process.exit();
