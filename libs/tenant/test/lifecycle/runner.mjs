// A process that migrates the fleet of its one argument, JSON. Prints its report.
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { TenantLifecycle } from '@fledge/tenant/lifecycle';
import { fleetOf } from './fleet.mjs';

const { run, create, ...options } = JSON.parse(process.argv[2]);
const { AppModule } = fleetOf(options);
const app = await NestFactory.createApplicationContext(AppModule, { logger: false });
const lifecycle = app.get(TenantLifecycle);
const onLog = (tenant, text) => console.log(JSON.stringify({ tenant, text }));
try {
  const report = create
    ? await created([create].flat())
    : await lifecycle.migrate({ ...run, onLog });
  console.log(JSON.stringify(report));
} catch (error) {
  console.log(JSON.stringify({ code: error.code, message: error.message }));
}
process.exit();

async function created(records) {
  const outcomes = [];
  for (const record of records) outcomes.push(...(await lifecycle.create(record, { onLog })));
  return { outcomes };
}
