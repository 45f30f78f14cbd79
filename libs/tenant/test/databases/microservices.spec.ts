// Needs Redis, RabbitMQ.
// The tenant leaves with the client and arrives before the guards, over each transport that runs here.
import { CurrentTenant, Tenancy, type TenantContext, TenantModule } from '@fledge/tenant';
import { TenantMicroservicesModule } from '@fledge/tenant/microservices';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type ArgumentsHost,
  type CallHandler,
  type CanActivate,
  Catch,
  Controller,
  type ExecutionContext,
  Injectable,
  type INestApplication,
  type INestApplicationContext,
  Module,
  type NestInterceptor,
  type PipeTransform,
  UseFilters,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  BaseRpcExceptionFilter,
  ClientProxy,
  ClientProxyFactory,
  ClientsModule,
  Ctx,
  EventPattern,
  MessagePattern,
  type MicroserviceOptions,
  Payload,
  type RmqContext,
  RpcException,
} from '@nestjs/microservices';
import { concatMap, firstValueFrom, map, of, range, tap, timer, toArray } from 'rxjs';
import { until } from '../../../../test/support/until.js';
import { attachMetadata } from '../transports/attach-metadata.js';
import { named, packetWays, rabbitWay } from '../transports/brokers.js';
import { Tenants } from '../transports/tenants.js';
import { TenantWitness } from '../witness.js';

const pause = (ms = Math.random() * 5) => new Promise((resolve) => setTimeout(resolve, ms));
/**
 * Longer than a client of MQTT takes to subscribe to answers. Nest's ends the subscription with the last answer that it
 * waits for, and a request that is subscribing at that moment gets none.
 */
const SUBSCRIBING_MS = 200;
const crowd = Array.from({ length: 50 }, (_, i) => `t${i}`);
const tenants = new Tenants('a', 'b', 'c', ...crowd);
tenants.records.set('paused', { tenantId: 'paused', status: 'suspended' });
tenants.records.set('moved', { tenantId: 'new-owner' });
const tenantModule = TenantModule.forRoot({ strategy: 'header', store: tenants });

/** What handlers without an answer saw. */
let seen: string[] = [];
let warnings: string[] = [];

interface Trail {
  readonly trail: string[];
}

@Injectable()
class Around implements CanActivate, NestInterceptor, PipeTransform<Trail> {
  constructor(private readonly witness: TenantWitness) {}

  async canActivate(execution: ExecutionContext): Promise<boolean> {
    this.note(execution, 'guard');
    await pause(1);
    return true;
  }

  intercept(execution: ExecutionContext, next: CallHandler<Trail>) {
    this.note(execution, 'interceptor');
    return next
      .handle()
      .pipe(map((answer) => ({ trail: [...answer.trail, `after ${this.witness.tenantId}`] })));
  }

  transform(body: Trail): Trail {
    return { trail: [...body.trail, `pipe ${this.witness.tenantId}`] };
  }

  private note(execution: ExecutionContext, place: string): void {
    execution.switchToRpc().getData<Trail>().trail.push(`${place} ${this.witness.tenantId}`);
  }
}

@Catch()
class Filter extends BaseRpcExceptionFilter {
  constructor(private readonly witness: TenantWitness) {
    super();
  }

  override catch(_: unknown, host: ArgumentsHost) {
    return super.catch(new RpcException(`failed for ${this.witness.tenantId}`), host);
  }
}

@Controller()
class Receiver {
  constructor(private readonly witness: TenantWitness) {}

  @UseGuards(Around)
  @UseInterceptors(Around)
  @MessagePattern(named('walk'))
  async walk(@Payload(Around) body: Trail, @CurrentTenant() tenant: TenantContext | null) {
    await pause(SUBSCRIBING_MS);
    return { trail: [...body.trail, `handler ${this.witness.tenantId} ${tenant?.tenantId}`] };
  }

  @MessagePattern(named('who'))
  async who(@Payload() { ms }: { ms: number }) {
    const before = this.witness.tenantId;
    await pause(ms);
    return `${before} ${this.witness.tenantId}`;
  }

  @MessagePattern(named('ticks'))
  ticks(@Payload() { count }: { count: number }) {
    return range(0, count).pipe(
      concatMap((i) =>
        timer(i === 0 ? SUBSCRIBING_MS : Math.random() * 4).pipe(concatMap(() => of(i))),
      ),
      map((i) => `${i} ${this.witness.tenantId}`),
    );
  }

  @UseFilters(Filter)
  @MessagePattern(named('fail'))
  async fail() {
    await pause();
    throw new Error('No');
  }

  @MessagePattern(named('leave'))
  async leave(@Payload() { ms }: { ms: number }) {
    seen.push('arrived');
    await pause(ms);
    seen.push(`left ${this.witness.tenantId}`);
    return 'too late';
  }

  @EventPattern<string>(named('noted'))
  async noted(@Payload() { id }: { id: number }) {
    await pause();
    seen.push(`first ${id} ${this.witness.tenantId}`);
  }

  /** Acknowledges by itself, as consumers without `noAck` do. */
  @EventPattern<string>(named('kept'))
  kept(@Payload() { id }: { id: number }, @Ctx() context: RmqContext) {
    seen.push(`kept ${id} ${this.witness.tenantId}`);
    const channel = context.getChannelRef() as { ack(message: unknown): void };
    channel.ack(context.getMessage());
  }
}

@Controller()
class SecondReceiver {
  constructor(private readonly witness: TenantWitness) {}

  @EventPattern<string>(named('noted'))
  noted(@Payload() { id }: { id: number }) {
    seen.push(`second ${id} ${this.witness.tenantId}`);
  }
}

@Module({
  imports: [tenantModule, TenantMicroservicesModule],
  controllers: [Receiver, SecondReceiver],
  providers: [TenantWitness, Around, Filter],
})
class ReceivingModule {}

/** For all applications, because Nest keeps one for the process. */
const logger = {
  log: () => {},
  warn: (message: unknown) => void warnings.push(String(message)),
  error: (message: unknown) => void warnings.push(String(message)),
};

const ways = await packetWays();
const kept = rabbitWay('kept', { noAck: false, prefetchCount: 1 });

@Module({
  imports: [
    tenantModule,
    TenantMicroservicesModule,
    ClientsModule.register([...ways, kept].map(({ name, client }) => ({ name, ...client }))),
  ],
})
class SendingModule {}

/** A hybrid application: HTTP and all transports, without a call for tenants. */
let receiving: INestApplication;
let sending: INestApplicationContext;
let tenancy: Tenancy;

beforeAll(async () => {
  receiving = await NestFactory.create(ReceivingModule, { logger, abortOnError: false });
  for (const { server } of [...ways, kept])
    receiving.connectMicroservice<MicroserviceOptions>(server);
  await receiving.startAllMicroservices();
  sending = await NestFactory.createApplicationContext(SendingModule, {
    logger,
    abortOnError: false,
  });
  tenancy = sending.get(Tenancy);
});
beforeEach(() => {
  seen = [];
  warnings = [];
});
afterAll(async () => {
  await sending.close();
  await receiving.close();
});

describe.each(ways)('a message over $name', ({ name, client: options }) => {
  let client: ClientProxy;
  beforeAll(() => {
    client = sending.get<ClientProxy>(name);
  });

  const send = <T>(tenant: string, pattern: string, data: object) =>
    tenancy.run(tenant, () => firstValueFrom(client.send<T>(named(pattern), data)));

  /** Sends with metadata of its own, as a client without the module would. */
  async function forge(pattern: string, metadata: unknown): Promise<unknown> {
    const forger = ClientProxyFactory.create(options);
    attachMetadata(forger, metadata);
    try {
      return await firstValueFrom(forger.send(named(pattern), { ms: 1 }));
    } catch (error) {
      return error;
    } finally {
      await forger.close();
    }
  }

  it('arrives before guards, pipes and interceptors, and stays behind the handler', async () => {
    const trails = await Promise.all(
      ['a', 'b', 'c'].map((tenant) => send<Trail>(tenant, 'walk', { trail: [] })),
    );
    expect(trails.map(({ trail }) => trail)).toEqual(
      ['a', 'b', 'c'].map((tenant) => [
        ...[`guard ${tenant}`, `interceptor ${tenant}`, `pipe ${tenant}`],
        ...[`handler ${tenant} ${tenant}`, `after ${tenant}`],
      ]),
    );
  });

  it('keeps its tenant in streamed answers and in exception filters', async () => {
    const streams = ['a', 'b', 'c'].map((tenant) =>
      tenancy.run(tenant, () =>
        firstValueFrom(client.send<string>(named('ticks'), { count: 3 }).pipe(toArray())),
      ),
    );
    expect(await Promise.all(streams)).toEqual(
      ['a', 'b', 'c'].map((tenant) => [0, 1, 2].map((i) => `${i} ${tenant}`)),
    );
    await expect(send('b', 'fail', {})).rejects.toMatchObject({ message: 'failed for b' });
  });

  it('is handled for the right one of 50 tenants, however messages interleave', async () => {
    const answers = await Promise.all(
      Array.from({ length: 1_000 }, (_, i) => crowd[i % crowd.length]!).map(async (tenant) => {
        const answer = await send<string>(tenant, 'who', { ms: Math.random() * 20 });
        return answer === `${tenant} ${tenant}`;
      }),
    );
    expect(answers.filter((isRight) => !isRight)).toEqual([]);
  });

  it('belongs to the tenant that subscribed, as do the operators behind its answer', async () => {
    const ofA = await tenancy.run('a', () => ({
      message: client.send<string>(named('who'), { ms: 1 }),
    }));
    const here: string[] = [];
    const answer = await tenancy.run('b', () =>
      firstValueFrom(ofA.message.pipe(tap(() => here.push(tenancy.current().tenantId)))),
    );
    expect([answer, ...here]).toEqual(['b b', 'b']);
  });

  it('opens the shared connection for no tenant', async () => {
    const fresh = await NestFactory.createApplicationContext(SendingModule, {
      logger,
      abortOnError: false,
    });
    const own = fresh.get(Tenancy);
    const opened = fresh.get<ClientProxy>(name);
    const at: (string | undefined)[] = [];
    opened.status.subscribe(() => at.push(own.currentOrNull()?.tenantId));
    await own.run('a', () => firstValueFrom(opened.send(named('who'), { ms: 1 })));
    await fresh.close();
    expect(new Set(at)).toEqual(new Set([undefined]));
  });

  it.each([
    ['no metadata', undefined, 'TENANT_NOT_RESOLVED'],
    ['metadata of others', { trace: '1' }, 'TENANT_NOT_RESOLVED'],
    ['metadata that is text', 'fledge-tenant', 'TENANT_NOT_RESOLVED'],
    ['an unknown tenant', { 'fledge-tenant': 'nobody' }, 'TENANT_UNKNOWN'],
    ['a suspended tenant', { 'fledge-tenant': 'paused' }, 'TENANT_SUSPENDED'],
    ['two tenants', { 'fledge-tenant': ['a', 'b'] }, 'TENANT_INVALID'],
    ['an identifier that is none', { 'fledge-tenant': 'a/../b' }, 'TENANT_INVALID'],
    ['an id alone', { 'fledge-tenant-id': 'a' }, 'TENANT_INVALID'],
    ['the id of another', { 'fledge-tenant': 'a', 'fledge-tenant-id': 'b' }, 'TENANT_MISMATCH'],
    [
      'an identifier that changed hands',
      { 'fledge-tenant': 'moved', 'fledge-tenant-id': 'old-owner' },
      'TENANT_MISMATCH',
    ],
  ])('with %s is answered with a refusal', async (_, metadata, code) => {
    expect(await forge('leave', metadata)).toMatchObject({ status: 'error', code });
    expect(seen).toEqual([]);
  });

  it('that is refused says nothing of the tenant before it', async () => {
    const answers = await Promise.all([
      ...crowd.map((tenant) => send<string>(tenant, 'who', { ms: 3 })),
      forge('who', undefined),
    ]);
    expect(answers.pop()).toMatchObject({ code: 'TENANT_NOT_RESOLVED' });
    expect(answers).toEqual(crowd.map((tenant) => `${tenant} ${tenant}`));
  });

  it('keeps its tenant after its sender left', async () => {
    const leaver = ClientProxyFactory.create(options);
    attachMetadata(leaver, { 'fledge-tenant': 'a' });
    const subscription = leaver.send(named('leave'), { ms: 60 }).subscribe({ error: () => {} });
    await until(() => seen.length > 0, 'the message');
    subscription.unsubscribe();
    await leaver.close();
    expect(await send('b', 'who', { ms: 30 })).toBe('b b');
    await until(() => seen.length > 1, 'the handler');
    expect(seen).toEqual(['arrived', 'left a']);
  });

  it('that is an event reaches each of its handlers, and is dropped and logged when refused', async () => {
    for (const [id, tenant] of ['a', 'b'].entries()) {
      await tenancy.run(tenant, () =>
        firstValueFrom(client.emit(named('noted'), { id }), { defaultValue: 0 }),
      );
    }
    await firstValueFrom(client.emit(named('noted'), { id: 2 }), { defaultValue: 0 });
    await until(() => seen.length === 4 && warnings.length === 1, 'the events');
    expect(seen.toSorted()).toEqual(['first 0 a', 'first 1 b', 'second 0 a', 'second 1 b']);
    expect(warnings).toEqual([
      `The event "${named('noted')}" was dropped. ` +
        'TENANT_NOT_RESOLVED: Tenant could not be resolved.',
    ]);
  });
});

describe('an event over RabbitMQ that its handler acknowledges', () => {
  it('is given up when refused, and not delivered again', async () => {
    const client = sending.get<ClientProxy>(kept.name);
    const emit = (id: number) =>
      firstValueFrom(client.emit(named('kept'), { id }), { defaultValue: 0 });
    await emit(1);
    // One message at a time: were the first kept or put back, the second would not arrive.
    await tenancy.run('a', () => emit(2));
    await until(() => seen.length === 1, 'the event after it');
    expect([seen, warnings.length]).toEqual([['kept 2 a'], 1]);
  });
});
