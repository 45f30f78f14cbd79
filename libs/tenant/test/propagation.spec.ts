// What else runs because of a request, or without one, by the packages applications use for it.
import {
  CentralRoute,
  CurrentTenant,
  Tenancy,
  type TenantContext,
  TenantModule,
} from '@fledge/tenant';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type CallHandler,
  Catch,
  Controller,
  type ExceptionFilter,
  type ArgumentsHost,
  type ExecutionContext,
  Get,
  Global,
  HttpException,
  Inject,
  Injectable,
  Module,
  type NestInterceptor,
  Param,
  Post,
  Res,
  Sse,
  StreamableFile,
  UseInterceptors,
} from '@nestjs/common';
import { APP_FILTER, HttpAdapterHost } from '@nestjs/core';
import { EventEmitter2, EventEmitterModule, OnEvent } from '@nestjs/event-emitter';
import { Cron, CronExpression, Interval, ScheduleModule } from '@nestjs/schedule';
import DataLoader from 'dataloader';
import { Readable } from 'node:stream';
import { concatMap, finalize, map, mergeMap, take, timer } from 'rxjs';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';
import { until } from '../../../test/support/until.js';
import { TenantWitness } from './witness.js';

const pause = (ms = Math.random() * 5) => new Promise((resolve) => setTimeout(resolve, ms));
/** What everything saw: `finish a`. */
let seen: string[] = [];

@Injectable()
class Witness extends TenantWitness {
  see(what: string): void {
    seen.push(`${what} ${this.tenantId}`);
  }
}

@Injectable()
class After implements NestInterceptor {
  constructor(private readonly witness: Witness) {}

  intercept(_: ExecutionContext, next: CallHandler) {
    return next.handle().pipe(
      mergeMap(async (body: object) => {
        await pause(1);
        return { ...body, interceptor: this.witness.tenantId };
      }),
      finalize(() => this.witness.see('finalize')),
    );
  }
}

@Catch(HttpException)
class Filter implements ExceptionFilter {
  constructor(
    private readonly witness: Witness,
    private readonly host: HttpAdapterHost,
  ) {}

  catch(error: HttpException, host: ArgumentsHost): void {
    const body = { message: error.message, tenant: this.witness.tenantId };
    this.host.httpAdapter.reply(host.switchToHttp().getResponse(), body, error.getStatus());
  }
}

@Injectable()
class Clockwork {
  constructor(
    private readonly witness: Witness,
    private readonly tenancy: Tenancy,
  ) {}

  @Cron(CronExpression.EVERY_SECOND)
  async tick(): Promise<void> {
    this.witness.see('cron');
    await this.tenancy.forEach(['x', 'y'], async ({ tenantId }) => {
      await pause(1);
      this.witness.see(`for ${tenantId}`);
    });
    this.witness.see('cron');
  }

  @Interval(20)
  often(): void {
    this.witness.see('often');
  }
}

@Injectable()
class Listeners {
  constructor(private readonly witness: Witness) {}

  @OnEvent('order')
  async onOrder(order: string): Promise<string> {
    const before = this.witness.tenantId;
    await pause();
    return `${order}: ${before}, ${this.witness.tenantId}`;
  }

  @OnEvent('later', { async: true })
  onLater(whose: string): void {
    this.witness.see(`later for ${whose}`);
  }
}

const LOADER = Symbol('loader');
type Loader = DataLoader<string, string>;

@Controller()
class TestController {
  constructor(
    private readonly witness: Witness,
    private readonly tenancy: Tenancy,
    private readonly events: EventEmitter2,
    @Inject(LOADER) private readonly loader: Loader,
  ) {}

  @Sse('events')
  stream() {
    return timer(1, 2).pipe(
      take(4),
      concatMap(async (i) => {
        await pause(1);
        return i;
      }),
      map((i) => ({ data: `${i} ${this.witness.tenantId}` })),
    );
  }

  @Get('file')
  file() {
    const { witness } = this;
    async function* chunks() {
      for (let i = 0; i < 4; i += 1) {
        await pause(1);
        yield `${witness.tenantId} `;
      }
    }
    return new StreamableFile(Readable.from(chunks()), { type: 'text/plain' });
  }

  @Get('lazy')
  lazy() {
    const tenantId = () => this.witness.tenantId;
    let left = 4;
    const body = new Readable({
      read() {
        left -= 1;
        this.push(left < 0 ? null : `${tenantId()} `);
      },
    });
    return new StreamableFile(body, { type: 'text/plain' });
  }

  @UseInterceptors(After)
  @Get('after')
  async after(@CurrentTenant() { tenantId }: TenantContext) {
    await pause();
    return { tenantId };
  }

  @Get('fails')
  async fails(): Promise<never> {
    await pause();
    throw new HttpException('No', 418);
  }

  @Get('endings')
  endings(@Res({ passthrough: true }) reply: Reply) {
    const response = reply.raw ?? reply;
    for (const event of ['finish', 'close']) response.once(event, () => this.witness.see(event));
    setTimeout(() => this.witness.see('timer'), 20);
    setImmediate(() => this.witness.see('immediate'));
    return {};
  }

  @Post('orders/:name')
  async order(@Param('name') name: string) {
    await pause();
    this.events.emit('later', this.witness.tenantId);
    return this.events.emitAsync('order', name);
  }

  @Post('listen')
  listen(): void {
    this.events.on('heard', () => this.witness.see('plain'));
    this.events.on(
      'heard',
      this.tenancy.bind(() => this.witness.see('bound')),
    );
  }

  @Post('tell')
  tell(): void {
    this.events.emit('heard');
  }

  @CentralRoute()
  @Post('tell-all')
  tellAll(): void {
    this.events.emit('heard');
  }

  @Get('loaded/:key')
  loaded(@Param('key') key: string) {
    return this.loader.load(key);
  }
}

interface Reply {
  readonly raw?: Reply;
  once(event: string, listener: () => void): void;
}

/** The singleton everybody writes first. */
function loaderOf(witness: Witness): Loader {
  return new DataLoader(
    async (keys: readonly string[]) => {
      await pause(1);
      return keys.map((key) => `${key} of ${witness.tenantId}`);
    },
    { cache: false },
  );
}

@Global()
@Module({ providers: [Witness], exports: [Witness] })
class WitnessModule {}

@Module({
  imports: [
    WitnessModule,
    ScheduleModule.forRoot(),
    EventEmitterModule.forRoot(),
    TenantModule.forRoot({ strategy: 'header' }),
    TenantModule.forFeature([
      {
        provide: LOADER,
        inject: [Witness],
        useFactory: (_, witness: Witness) => loaderOf(witness),
      },
    ]),
  ],
  controllers: [TestController],
  providers: [Listeners, Clockwork, { provide: APP_FILTER, useClass: Filter }],
})
class AppModule {}

describe.each(platforms)('the tenant on $name', (platform) => {
  let url: string;
  let tenancy: Tenancy;
  let witness: Witness;
  let loader: Loader;

  beforeAll(async () => {
    const served = await serve(AppModule, platform);
    url = served.url;
    tenancy = served.app.get(Tenancy);
    witness = served.app.get(Witness);
    loader = served.app.get<Loader>(LOADER);
  });
  beforeEach(() => {
    seen = [];
  });
  afterAll(closeAll);

  const ask = async (tenant: string, path: string, method = 'GET') => {
    const response = await fetch(`${url}/${path}`, { method, headers: { 'x-tenant-id': tenant } });
    return { status: response.status, text: await response.text() };
  };
  const tenants = ['a', 'b', 'c', 'a', 'b', 'c'];
  const askAll = async (path: string) =>
    Promise.all(tenants.map(async (tenant) => [tenant, (await ask(tenant, path)).text] as const));
  const linesOf = (...names: string[]) =>
    seen.filter((line) => names.includes(line.split(' ')[0]!)).sort();

  it('is current in each server-sent event', async () => {
    for (const [tenant, text] of await askAll('events')) {
      const data = [...text.matchAll(/^data: (.*)$/gm)].map(([, value]) => value);
      expect(data).toEqual([0, 1, 2, 3].map((i) => `${i} ${tenant}`));
    }
  });

  it.each(['file', 'lazy'])('is current in each chunk of a stream: %s', async (path) => {
    for (const [tenant, text] of await askAll(path)) {
      expect(text).toBe(`${tenant} `.repeat(4));
    }
  });

  it('is current in interceptors after the handler, and in exception filters', async () => {
    for (const [tenantId, text] of await askAll('after')) {
      expect(JSON.parse(text)).toEqual({ tenantId, interceptor: tenantId });
    }
    expect(linesOf('finalize')).toEqual(tenants.map((tenant) => `finalize ${tenant}`).sort());
    for (const [tenant, text] of await askAll('fails')) {
      expect(JSON.parse(text)).toEqual({ message: 'No', tenant });
    }
  });

  it('is current when the response is sent, and in later timers', async () => {
    await askAll('endings');
    for (const name of ['finish', 'close', 'timer', 'immediate']) {
      await until(() => linesOf(name).length === 6, name);
      expect(linesOf(name)).toEqual(tenants.map((tenant) => `${name} ${tenant}`).sort());
    }
  });

  it('is absent in a schedule, and set inside forEach()', async () => {
    const enough = () => linesOf('cron').length >= 4 && linesOf('often').length > 10;
    // Requests are answered all the while.
    while (!enough()) await askAll('after');
    expect(new Set(linesOf('cron', 'often'))).toEqual(new Set(['cron nobody', 'often nobody']));
    expect(new Set(linesOf('for'))).toEqual(new Set(['for x x', 'for y y']));
  });

  it("is the emitter's in a listener, also if it runs later", async () => {
    const answers = await Promise.all(
      tenants.map(
        async (tenant, i) => [tenant, i, await ask(tenant, `orders/${i}`, 'POST')] as const,
      ),
    );
    for (const [tenant, i, { text }] of answers) {
      expect(JSON.parse(text)).toEqual([`${i}: ${tenant}, ${tenant}`]);
    }
    await until(() => linesOf('later').length === 6, 'asynchronous listeners');
    expect(linesOf('later')).toEqual(
      tenants.map((tenant) => `later for ${tenant} ${tenant}`).sort(),
    );
  });

  it("is the emitter's in a listener of another tenant, unless it was bound", async () => {
    await ask('a', 'listen', 'POST');
    await ask('b', 'tell', 'POST');
    await ask('c', 'tell-all', 'POST');
    expect(seen.filter((line) => /^(plain|bound)/.test(line))).toEqual([
      ...['plain b', 'bound a'],
      ...['plain nobody', 'bound a'],
    ]);
  });

  it("is the first caller's in a shared loader, so each tenant needs its own", async () => {
    const load = (from: Loader) =>
      Promise.all(['a', 'b', 'c'].map((tenant) => tenancy.run(tenant, () => from.load('note'))));
    // What the page warns of: one batch, served for whoever came first.
    expect(await load(loaderOf(witness))).toEqual(['note of a', 'note of a', 'note of a']);
    expect(await load(loader)).toEqual(['note of a', 'note of b', 'note of c']);
    for (const [tenant, text] of await askAll('loaded/note'))
      expect(text).toBe(`note of ${tenant}`);
  });

  it('is absent outside of requests', async () => {
    const beside = setInterval(() => witness.see('beside'), 1);
    await askAll('after');
    clearInterval(beside);
    expect(new Set(linesOf('beside'))).toEqual(new Set(['beside nobody']));
  });
});
