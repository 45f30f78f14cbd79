import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { TenantModule } from './tenant.module.js';

const sent: unknown[] = [];
const { send } = process;

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  process.env['FLEDGE_TENANT_COMMAND'] = JSON.stringify({ kind: 'list' });
  process.send = ((message: unknown) => sent.push(message)) as never;
});
afterEach(() => {
  jest.useRealTimers();
  delete process.env['FLEDGE_TENANT_COMMAND'];
  Object.assign(process, { send });
  sent.length = 0;
});

async function start() {
  @Module({ imports: [TenantModule.forRoot({ strategy: 'header' })] })
  class AppModule {}
  return NestFactory.createApplicationContext(AppModule, { logger: false });
}

it('reports that no module takes the command of `fledge tenant`', async () => {
  const app = await start();
  jest.advanceTimersByTime(1_999);
  expect(sent).toEqual([]);
  jest.advanceTimersByTime(1);
  expect(sent).toEqual([{ kind: 'untaken' }]);
  await app.close();
});

it('reports nothing if another application of the process takes the command', async () => {
  const app = await start();
  jest.advanceTimersByTime(1_999);
  delete process.env['FLEDGE_TENANT_COMMAND'];
  jest.advanceTimersByTime(10_000);
  expect(sent).toEqual([]);
  await app.close();
});
