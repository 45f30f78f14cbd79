// Prints what messages over RabbitMQ were answered, and what their handlers saw.
import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Module, UseGuards } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  AmqpConnection,
  RabbitMQModule,
  RabbitRPC,
  RabbitSubscribe,
} from '@golevelup/nestjs-rabbitmq';
import { Tenancy, TenantModule } from '@fledge/tenant';
import { TenantRabbitModule } from '@fledge/tenant/rabbitmq';

const run = randomUUID().slice(0, 8);
const exchange = `exchange-${run}`;
const uri = process.env.RABBITMQ_URL ?? 'amqp://guest:guest@127.0.0.1:5672';
const crowd = Array.from({ length: 50 }, (_, i) => `t${i}`);
const records = new Map(['a', 'b', ...crowd].map((tenantId) => [tenantId, { tenantId }]));
records.set('paused', { tenantId: 'paused', status: 'suspended' });
records.set('moved', { tenantId: 'new-owner' });

const seen = [];
const warnings = [];

class Guard {
  constructor(tenancy) {
    this.tenancy = tenancy;
  }
  canActivate() {
    seen.push(`guard ${idOf(this.tenancy)}`);
    return true;
  }
}
Inject(Tenancy)(Guard, undefined, 0);

class Receiver {
  constructor(tenancy) {
    this.tenancy = tenancy;
  }
  async who() {
    const before = idOf(this.tenancy);
    await sleep(Math.random() * 10);
    return `${before} ${idOf(this.tenancy)}`;
  }
  async by() {
    const { tenantId, impersonatedBy } = this.tenancy.current();
    return `${tenantId} by ${impersonatedBy}`;
  }
  async noted({ id }) {
    seen.push(`noted ${id} ${idOf(this.tenancy)}`);
  }
  async batch(messages) {
    seen.push(`batch of ${messages.length} ${idOf(this.tenancy)}`);
  }
}
Inject(Tenancy)(Receiver, undefined, 0);

const at = (name) => ({
  exchange,
  routingKey: name,
  queue: `${name}-${run}`,
  queueOptions: { durable: false, autoDelete: true },
});
const decorate = (name, ...decorators) => {
  const descriptor = Object.getOwnPropertyDescriptor(Receiver.prototype, name);
  for (const decorator of decorators) decorator(Receiver.prototype, name, descriptor);
};
decorate('who', UseGuards(Guard), RabbitRPC(at('who')));
decorate('by', RabbitRPC(at('by')));
decorate('noted', UseGuards(Guard), RabbitSubscribe(at('noted')));
decorate('batch', RabbitSubscribe({ ...at('batch'), batchOptions: { size: 2, timeout: 1_000 } }));

class AppModule {}
Module({
  imports: [
    TenantModule.forRoot({ strategy: 'header', store: (id) => records.get(id) }),
    RabbitMQModule.forRoot({
      uri,
      exchanges: [{ name: exchange, type: 'topic', options: { durable: false, autoDelete: true } }],
    }),
    TenantRabbitModule,
  ],
  providers: [Guard, Receiver],
})(AppModule);

const keep = (message) => void warnings.push(String(message).replaceAll(run, ''));
const logger = { log: () => {}, verbose: () => {}, warn: keep, error: keep };
const app = await NestFactory.createApplicationContext(AppModule, { logger });
const amqp = app.get(AmqpConnection);
const tenancy = app.get(Tenancy);

function idOf(of) {
  return of.currentOrNull()?.tenantId ?? 'nobody';
}
const ask = (headers, routingKey = 'who') =>
  amqp.request({ exchange, routingKey, payload: {}, headers });
const copied = { 'fledge-tenant': 'b', 'fledge-impersonated-by': 'sam' };
async function seenAfter(count) {
  for (let i = 0; i < 1_000 && seen.length < count; i += 1) await sleep(5);
  return seen.splice(0);
}

const asked = Array.from({ length: 500 }, (_, i) => crowd[i % crowd.length]);
const said = await Promise.all(asked.map((id) => tenancy.run(id, () => ask())));
const guards = seen.splice(0).toSorted();
const answers = {
  wrong: said.filter((text, i) => text !== `${asked[i]} ${asked[i]}`),
  guards:
    guards.join() ===
    asked
      .map((id) => `guard ${id}`)
      .toSorted()
      .join(),
  beside: await tenancy.run('a', () => ask({ trace: 'x' })),
  afterGuards: seen.splice(0),
  copied: await tenancy.run('a', () => ask(copied, 'by')),
  refused: [
    await ask({}),
    await ask({ 'fledge-tenant': 'paused' }),
    await ask({ 'fledge-tenant': { a: 1 } }),
    await ask({ 'fledge-tenant': 'moved', 'fledge-tenant-id': 'old-owner' }),
  ].map(({ status, code }) => `${status} ${code}`),
  seenOfRefused: seen.splice(0),
};
await amqp.publish(exchange, 'noted', { id: 1 });
await tenancy.run('b', () => amqp.publish(exchange, 'noted', { id: 2 }));
answers.noted = await seenAfter(2);
answers.warnings = warnings.splice(0);
for (const id of ['a', 'b']) await tenancy.run(id, () => amqp.publish(exchange, 'batch', { id }));
answers.batch = await seenAfter(1);
await app.close();
console.log(JSON.stringify(answers));
