// Needs Redis.
// What a connection that all requests share calls back belongs to the request that waits for it, not
// to the one that opened the connection.
import { Tenancy, TenantModule } from '@fledge/tenant';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type ArgumentsHost,
  type CallHandler,
  Catch,
  Controller,
  type ExceptionFilter,
  type ExecutionContext,
  Get,
  HttpException,
  Inject,
  Injectable,
  type INestApplication,
  Module,
  type NestInterceptor,
  Sse,
  UseInterceptors,
} from '@nestjs/common';
import { APP_FILTER, HttpAdapterHost } from '@nestjs/core';
import { ClientProxy, ClientProxyFactory } from '@nestjs/microservices';
import { EventEmitter } from 'node:events';
import { request } from 'node:http';
import {
  asapScheduler,
  catchError,
  delay,
  filter,
  finalize,
  firstValueFrom,
  fromEvent,
  map,
  mergeMap,
  Observable,
  of,
  share,
  shareReplay,
  Subject,
  subscribeOn,
  switchMap,
  take,
  tap,
  throwError,
} from 'rxjs';
import { closeAll, platforms, serve } from '../../../../test/support/platforms.js';
import { type Microservice, transports } from '../microservices.js';
import { until } from '../../../../test/support/until.js';
import { TenantWitness } from '../witness.js';

/** What everything saw: `finalize a`. */
let seen: string[] = [];

@Injectable()
class Witness extends TenantWitness {
  see(what: string): void {
    seen.push(`${what} ${this.tenantId}`);
  }
}

@Injectable()
class Around implements NestInterceptor {
  constructor(private readonly witness: Witness) {}

  intercept(_: ExecutionContext, next: CallHandler<string[]>) {
    return next.handle().pipe(
      map((body) => [...body, this.witness.tenantId]),
      tap({ error: () => this.witness.see('error') }),
      finalize(() => this.witness.see('finalize')),
    );
  }
}

@Catch()
class Filter implements ExceptionFilter {
  constructor(
    private readonly witness: Witness,
    private readonly host: HttpAdapterHost,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const message = error instanceof HttpException ? error.message : String(error);
    const body = [message, this.witness.tenantId];
    this.host.httpAdapter.reply(host.switchToHttp().getResponse(), body, 418);
  }
}

const PORTER = Symbol('porter');
const OPENED_AT_BOOT = Symbol('porter opened at boot');

/** A driver with one connection, which answers in the context of whichever request opened it. */
class Porter {
  readonly answers = new EventEmitter().setMaxListeners(0);
  readonly subject = new Subject<number>();
  private readonly asked: (() => void)[] = [];
  private opened = false;
  private count = 0;

  /** Emits a number of its own a little later, from a loop that belongs to the first caller. */
  ask(): number {
    const id = (this.count += 1);
    this.asked.push(() => {
      this.answers.emit('answer', id);
      this.subject.next(id);
    });
    if (!this.opened) this.open();
    return id;
  }

  /** Called at boot, the connection belongs to no request. */
  open(): void {
    this.opened = true;
    setInterval(() => this.asked.shift()?.(), 1).unref();
  }

  get(done: (id: number) => void): void {
    const id = this.ask();
    const listen = (answered: number) => {
      if (answered !== id) return;
      this.answers.off('answer', listen);
      done(id);
    };
    this.answers.on('answer', listen);
  }
}

const CLIENT = Symbol('client');
let microservice: Microservice;

@UseInterceptors(Around)
@Controller('remote')
class RemoteController {
  constructor(
    private readonly witness: Witness,
    @Inject(CLIENT) private readonly client: ClientProxy,
  ) {}

  @Get('piped')
  piped() {
    return this.client.send<number>('echo', 1).pipe(map(() => [this.witness.tenantId]));
  }

  @Get('nested')
  nested() {
    return this.client.send<number>('echo', 1).pipe(
      mergeMap((n) => this.client.send<number>('echo', n).pipe(map(() => this.witness.tenantId))),
      switchMap((inner) => of(inner).pipe(delay(1))),
      map((inner) => [inner, this.witness.tenantId]),
    );
  }

  @Get('awaited')
  async awaited() {
    const first = await firstValueFrom(
      this.client.send<number>('echo', 1).pipe(map(() => this.witness.tenantId)),
    );
    return [first, this.witness.tenantId];
  }

  @Get('fails')
  fails() {
    return this.client.send<number>('fail', 1).pipe(
      catchError(() => throwError(() => new HttpException(this.witness.tenantId, 418))),
      finalize(() => this.witness.see('finalize')),
    );
  }

  @Get('silent')
  silent() {
    this.witness.see('silent');
    return this.client.send<never>('silence', 1).pipe(
      finalize(() => this.witness.see('inner')),
      map(() => []),
    );
  }
}

@Controller()
class LocalController {
  constructor(
    private readonly witness: Witness,
    private readonly tenancy: Tenancy,
    @Inject(CLIENT) private readonly client: ClientProxy,
    @Inject(PORTER) private readonly porter: Porter,
    @Inject(OPENED_AT_BOOT) private readonly opened: Porter,
  ) {}

  @Sse('ticks')
  ticks() {
    return this.client
      .send<number>('ticks', 4)
      .pipe(map((i) => ({ data: `${i} ${String(this.witness.tenantId)}` })));
  }

  @Get('emitter')
  emitter() {
    const id = this.porter.ask();
    return fromEvent(this.porter.answers, 'answer').pipe(
      filter((answered) => answered === id),
      take(1),
      map(() => [this.witness.tenantId]),
    );
  }

  @Get('subject')
  subject() {
    const id = this.porter.ask();
    return this.porter.subject.pipe(
      filter((answered) => answered === id),
      take(1),
      map(() => [this.witness.tenantId]),
      share(),
      map((below) => [...below, this.witness.tenantId]),
      shareReplay(1),
    );
  }

  @Get('scheduler')
  scheduler() {
    return new Observable<string[]>((subscriber) => {
      subscriber.next([this.witness.tenantId]);
      subscriber.complete();
    }).pipe(subscribeOn(asapScheduler));
  }

  @Get('promise')
  async promise() {
    await new Promise<number>((resolve) => this.porter.get(resolve));
    return [this.witness.tenantId];
  }

  @Get('callback')
  callback() {
    return new Promise((resolve) =>
      this.porter.get(this.tenancy.bind(() => resolve([this.witness.tenantId]))),
    );
  }

  @Get('unbound')
  unbound() {
    return new Promise((resolve) => this.opened.get(() => resolve([this.witness.tenantId])));
  }

  @Get('other')
  other() {
    const inside = this.tenancy.run('other', () =>
      this.client.send<number>('echo', 1).pipe(map(() => this.witness.tenantId)),
    );
    return firstValueFrom(
      of(0).pipe(
        mergeMap(() => inside),
        mergeMap((observable) => observable),
        map((within) => [within, this.witness.tenantId]),
      ),
    );
  }
}

@Module({
  imports: [TenantModule.forRoot({ strategy: 'header' })],
  controllers: [RemoteController, LocalController],
  providers: [
    Witness,
    { provide: APP_FILTER, useClass: Filter },
    { provide: PORTER, useClass: Porter },
    {
      provide: OPENED_AT_BOOT,
      useFactory: () => {
        const porter = new Porter();
        porter.open();
        return porter;
      },
    },
    { provide: CLIENT, useFactory: () => ClientProxyFactory.create(microservice.client) },
  ],
})
class AppModule {}

const requests = ['a', 'b', 'c', 'd', 'a', 'b', 'c', 'd', 'a', 'b', 'c', 'd'];

describe.each(platforms)('a shared connection on $name', (platform) => {
  describe.each(Object.entries(transports))('over %s', (_, start) => {
    let url: string;
    let app: INestApplication;

    const ask = async (tenant: string, path: string) => {
      const response = await fetch(`${url}/${path}`, { headers: { 'x-tenant-id': tenant } });
      return response.text();
    };
    const askAll = async (path: string) =>
      Promise.all(requests.map(async (tenant) => [tenant, await ask(tenant, path)] as const));

    beforeAll(async () => {
      microservice = await start();
      ({ app, url } = await serve(AppModule, platform));
      // Opens every connection, which belongs to this tenant from now on.
      await ask('first', 'remote/piped');
      await ask('first', 'emitter');
    });
    beforeEach(() => {
      seen = [];
    });
    afterAll(async () => {
      await app.get<ClientProxy>(CLIENT).close();
      await closeAll();
      await microservice.service.close();
    });

    it.each([
      ['remote/piped', (own: string) => [own, own]],
      ['remote/nested', (own: string) => [own, own, own]],
      ['remote/awaited', (own: string) => [own, own, own]],
      ['remote/fails', (own: string) => [own, own]],
      ['emitter', (own: string) => [own]],
      ['subject', (own: string) => [own, own]],
      ['scheduler', (own: string) => [own]],
      ['promise', (own: string) => [own]],
      ['callback', (own: string) => [own]],
      ['unbound', () => ['nobody']],
      ['other', (own: string) => ['other', own]],
    ])('%s answers each tenant with its own', async (path, expected) => {
      for (const [tenant, text] of await askAll(path)) {
        expect(JSON.parse(text)).toEqual(expected(tenant));
      }
      const saw = (what: string) => seen.filter((line) => line.startsWith(what)).sort();
      const own = (what: string) => requests.map((tenant) => `${what} ${tenant}`).sort();
      if (!path.startsWith('remote')) return;
      const fails = path.endsWith('fails');
      expect(saw('finalize')).toEqual(
        fails ? [...own('finalize'), ...own('finalize')].sort() : own('finalize'),
      );
      if (fails) expect(saw('error')).toEqual(own('error'));
    });

    it('sends each tenant its own events', async () => {
      for (const [tenant, text] of await askAll('ticks')) {
        const data = [...text.matchAll(/^data: (.*)$/gm)].map(([, value]) => value);
        expect(data).toEqual([0, 1, 2, 3].map((i) => `${i} ${tenant}`));
      }
    });

    it('finalizes for the tenant whose client left', async () => {
      const tenants = ['a', 'b', 'c'];
      const sent = tenants.map((tenant) => {
        const one = request(`${url}/remote/silent`, { headers: { 'x-tenant-id': tenant } });
        one.on('error', () => undefined).end();
        return one;
      });
      await until(() => seen.length === 3, 'three handlers wait');
      sent.forEach((one) => one.destroy());
      await until(() => seen.length === 9, 'all of them ended');
      const all = ['silent', 'inner', 'finalize'].flatMap((what) =>
        tenants.map((tenant) => `${what} ${tenant}`),
      );
      expect([...seen].sort()).toEqual(all.sort());
    });
  });
});
