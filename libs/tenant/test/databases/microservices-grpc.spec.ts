// The tenant of gRPC calls of each kind: it leaves in the metadata and arrives before the guards.
import { Tenancy, TenantModule } from '@fledge/tenant';
import { TenantMicroservicesModule } from '@fledge/tenant/microservices';
import { Metadata, type ServerDuplexStream, type ServerUnaryCall } from '@grpc/grpc-js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type CanActivate,
  Controller,
  type INestApplication,
  type INestApplicationContext,
  Injectable,
  Module,
  UseGuards,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  type ClientGrpc,
  ClientProxyFactory,
  ClientsModule,
  GrpcMethod,
  GrpcStreamCall,
  GrpcStreamMethod,
  type MicroserviceOptions,
} from '@nestjs/microservices';
import {
  concatMap,
  firstValueFrom,
  from,
  map,
  type Observable,
  of,
  Subject,
  timer,
  toArray,
} from 'rxjs';
import { until } from '../../../../test/support/until.js';
import { grpcWay } from '../transports/brokers.js';
import { Tenants } from '../transports/tenants.js';
import { TenantWitness } from '../witness.js';

interface Text {
  readonly text: string;
}

/** What clients call. Each takes metadata and options behind the message. */
interface Talk {
  ask(text: Text, metadata?: Metadata): Observable<Text>;
  tell(text: Text, metadata?: Metadata): Observable<Text>;
  collect(texts: Observable<Text>, metadata?: Metadata): Observable<Text>;
  chat(texts: Observable<Text>, metadata?: Metadata): Observable<Text>;
  pass(texts: Observable<Text>, metadata?: Metadata): Observable<Text>;
}

let seen: string[] = [];
const tenants = new Tenants('a', 'b', 'c', 'ü %');
tenants.records.set('paused', { tenantId: 'paused', status: 'suspended' });
tenants.records.set('moved', { tenantId: 'new-owner' });
const tenantModule = TenantModule.forRoot({
  strategy: 'header',
  store: tenants,
  identifier: { pattern: /^[\wü %-]+$/ },
});

@Injectable()
class Witness extends TenantWitness {
  say = ({ text }: Text): Text => ({ text: `${text} ${this.tenantId}` });
}

@Injectable()
class Guard implements CanActivate {
  constructor(private readonly witness: Witness) {}

  canActivate(): boolean {
    seen.push(`guard of ${this.witness.tenantId}`);
    return true;
  }
}

@UseGuards(Guard)
@Controller()
class Receiver {
  constructor(private readonly witness: Witness) {}

  @GrpcMethod('Talk', 'Ask')
  async ask(text: Text, _: Metadata, call: ServerUnaryCall<Text, Text>): Promise<Text> {
    const waits = Number(text.text) || 1;
    // Emitted after each unary call, too.
    if (waits > 1) {
      call.on('cancelled', () => seen.push(`cancelled ${this.witness.tenantId}`));
      seen.push('waits');
    }
    await new Promise((resolve) => setTimeout(resolve, waits));
    if (text.text === 'by') return { text: this.witness.impersonatedBy ?? 'the tenant itself' };
    return this.witness.say(text);
  }

  @GrpcMethod('Talk', 'Tell')
  tell(text: Text): Observable<Text> {
    return from([text, text]).pipe(
      concatMap((each) => timer(Math.random() * 4).pipe(concatMap(() => of(each)))),
      map(this.witness.say),
    );
  }

  @GrpcStreamMethod('Talk', 'Collect')
  collect(texts: Observable<Text>): Observable<Text> {
    return texts.pipe(
      map(this.witness.say),
      toArray(),
      map((said) => ({ text: said.map(({ text }) => text).join(', ') })),
    );
  }

  @GrpcStreamMethod('Talk', 'Chat')
  chat(texts: Observable<Text>): Observable<Text> {
    return texts.pipe(map(this.witness.say));
  }

  @GrpcStreamCall('Talk', 'Pass')
  pass(call: ServerDuplexStream<Text, Text>): void {
    call.on('data', (text: Text) => call.write(this.witness.say(text)));
    call.on('end', () => call.end());
  }
}

const way = await grpcWay();

@Module({
  imports: [tenantModule, TenantMicroservicesModule],
  controllers: [Receiver],
  providers: [Witness, Guard],
})
class ReceivingModule {}

@Module({
  imports: [
    tenantModule,
    TenantMicroservicesModule,
    ClientsModule.register([{ name: 'TALK', ...way.client }]),
  ],
})
class SendingModule {}

const quiet = { logger: false, abortOnError: false } as const;
let receiving: INestApplication;
let sending: INestApplicationContext;
let tenancy: Tenancy;
let talk: Talk;
/** A client without the module. */
const stranger = ClientProxyFactory.create(way.client) as unknown as ClientGrpc & { close(): void };

beforeAll(async () => {
  receiving = await NestFactory.create(ReceivingModule, quiet);
  receiving.connectMicroservice<MicroserviceOptions>(way.server);
  await receiving.startAllMicroservices();
  sending = await NestFactory.createApplicationContext(SendingModule, quiet);
  tenancy = sending.get(Tenancy);
  talk = sending.get<ClientGrpc>('TALK').getService<Talk>('Talk');
});
beforeEach(() => {
  seen = [];
});
afterAll(async () => {
  stranger.close();
  await sending.close();
  await receiving.close();
});

const three = () => from(['0', '1', '2']).pipe(map((text) => ({ text })));
const said = (answer: Observable<Text>): Promise<string[]> =>
  firstValueFrom(
    answer.pipe(
      map(({ text }) => text),
      toArray(),
    ),
  );

const kinds: readonly [
  keyof Talk,
  (service: Talk, ...metadata: Metadata[]) => Observable<Text>,
  (tenant: string) => string[],
][] = [
  ['ask', (to, ...metadata) => to.ask({ text: 'x' }, ...metadata), (id) => [`x ${id}`]],
  [
    'tell',
    (to, ...metadata) => to.tell({ text: 'x' }, ...metadata),
    (id) => [`x ${id}`, `x ${id}`],
  ],
  [
    'collect',
    (to, ...metadata) => to.collect(three(), ...metadata),
    (id) => [`0 ${id}, 1 ${id}, 2 ${id}`],
  ],
  [
    'chat',
    (to, ...metadata) => to.chat(three(), ...metadata),
    (id) => [0, 1, 2].map((i) => `${i} ${id}`),
  ],
  [
    'pass',
    (to, ...metadata) => to.pass(three(), ...metadata),
    (id) => [0, 1, 2].map((i) => `${i} ${id}`),
  ],
];

describe.each(kinds)('a call of %s', (_, call, expected) => {
  it('arrives before the guards, for the right tenant of many', async () => {
    const callers = Array.from({ length: 60 }, (_, i) => ['a', 'b', 'c'][i % 3]!);
    const answers = callers.map((id) => tenancy.run(id, () => said(call(talk))));
    expect(await Promise.all(answers)).toEqual(callers.map(expected));
    expect(seen.toSorted()).toEqual(callers.map((id) => `guard of ${id}`).toSorted());
  });

  it.each([
    ['no tenant', {}, 3, 'TENANT_NOT_RESOLVED'],
    ['an unknown tenant', { 'fledge-tenant': 'nobody' }, 5, 'TENANT_UNKNOWN'],
    ['a suspended tenant', { 'fledge-tenant': 'paused' }, 7, 'TENANT_SUSPENDED'],
    ['text that is not encoded', { 'fledge-tenant': '%' }, 3, 'TENANT_INVALID'],
    [
      'an identifier that changed hands',
      { 'fledge-tenant': 'moved', 'fledge-tenant-id': 'old-owner' },
      7,
      'TENANT_MISMATCH',
    ],
  ])('with %s is refused with a status', async (_, entries, code, reason) => {
    const metadata = new Metadata();
    for (const [key, value] of Object.entries(entries)) metadata.set(key, value);
    const answer = said(call(stranger.getService<Talk>('Talk'), metadata));
    await expect(answer).rejects.toMatchObject({ code, details: expect.stringContaining(reason) });
    expect(seen).toEqual([]);
  });
});

it('keeps two tenants in one entry apart from either', async () => {
  const metadata = new Metadata();
  metadata.add('fledge-tenant', 'a');
  metadata.add('fledge-tenant', 'b');
  const answer = said(stranger.getService<Talk>('Talk').ask({ text: 'x' }, metadata));
  await expect(answer).rejects.toMatchObject({ code: 3 });
});

it('leaves metadata that callers share as it is', async () => {
  const shared = new Metadata();
  shared.set('trace', 'x');
  expect(await tenancy.run('a', () => said(talk.ask({ text: 'x' }, shared)))).toEqual(['x a']);
  expect(shared.getMap()).toEqual({ trace: 'x' });
  await expect(said(talk.ask({ text: 'x' }, shared))).rejects.toMatchObject({ code: 3 });
});

it('does not pass the support person of a received call on to another tenant', async () => {
  const received = new Metadata();
  received.set('fledge-tenant', 'b');
  received.set('fledge-impersonated-by', 'sam');
  const by = (tenant: object) =>
    tenancy.runFrom(tenant, () => said(talk.ask({ text: 'by' }, received)));
  expect(await by({ 'fledge-tenant': 'a' })).toEqual(['the tenant itself']);
  expect(await by({ 'fledge-tenant': 'a', 'fledge-impersonated-by': 'jo' })).toEqual(['jo']);
});

it('carries identifiers that are not ASCII', async () => {
  expect(await tenancy.run('ü %', () => said(talk.ask({ text: 'x' })))).toEqual(['x ü %']);
});

it('belongs to the tenant that subscribed', async () => {
  const { call } = await tenancy.run('a', () => ({ call: talk.ask({ text: 'x' }) }));
  expect(await tenancy.run('b', () => said(call))).toEqual(['x b']);
});

it('tells the handler of a client that leaves in its own tenant', async () => {
  await tenancy.run('a', async () => {
    const subscription = talk.ask({ text: '200' }).subscribe({ error: () => {} });
    await until(() => seen.includes('waits'), 'the handler');
    subscription.unsubscribe();
  });
  await until(() => seen.length > 2, 'the cancellation');
  expect(seen).toEqual(['guard of a', 'waits', 'cancelled a']);
});

it('keeps the tenant of a stream while another tenant calls', async () => {
  const lines = new Subject<Text>();
  const answers = tenancy.run('a', () => said(talk.chat(lines)));
  await until(() => seen.length > 0, 'the stream');
  lines.next({ text: '0' });
  await tenancy.run('b', async () => {
    await said(talk.ask({ text: 'x' }));
    lines.next({ text: '1' });
    lines.complete();
  });
  expect(await answers).toEqual(['0 a', '1 a']);
});

it('refuses a service that was made too early, because its calls would have no tenant', async () => {
  @Module({
    imports: [
      tenantModule,
      TenantMicroservicesModule,
      ClientsModule.register([{ name: 'TALK', ...way.client }]),
    ],
    providers: [
      {
        provide: 'SERVICE',
        useFactory: (client: ClientGrpc) => client.getService<Talk>('Talk'),
        inject: ['TALK'],
      },
    ],
  })
  class EarlyModule {}
  await expect(NestFactory.createApplicationContext(EarlyModule, quiet)).rejects.toThrow(
    'The gRPC service Talk was created before TenantMicroservicesModule could add the tenant to its calls.',
  );
});
