import { afterEach, describe, expect, it } from '@jest/globals';
import {
  type CallHandler,
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  Injectable,
  type MiddlewareConsumer,
  Module,
  type NestInterceptor,
  type NestModule,
  type Type,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { ContextModule, Ctx, defineHttpContextDecorator, RequestContext } from '@fledge/core';
import { ClsMiddleware, ClsModule, type ClsModuleOptions, ClsService } from 'nestjs-cls';
import { mergeMap } from 'rxjs';
import { call, closeAll, platforms, serve } from '../../../test/support/platforms.js';
import { SharedConnection } from '../../../test/support/shared-connection.js';

afterEach(closeAll);

const setup = (cls: ClsService) => cls.set('own', 'of the application');

const mounts: Record<string, ClsModuleOptions> = {
  middleware: { middleware: { mount: true, setup } },
  'middleware with enterWith': { middleware: { mount: true, setup, useEnterWith: true } },
  guard: { guard: { mount: true, setup } },
  interceptor: { interceptor: { mount: true, setup } },
};

const LoadUser = defineHttpContextDecorator({
  key: 'user',
  resolve: async (ctx) => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    return ctx.headers['x-user'];
  },
});

@Injectable()
class SeesUser implements CanActivate {
  constructor(private readonly ctx: RequestContext) {}

  canActivate(): boolean {
    this.ctx.set('guard', this.ctx.get('user'));
    return true;
  }
}

@Injectable()
class AddsUser implements NestInterceptor {
  constructor(private readonly ctx: RequestContext) {}

  intercept(_: ExecutionContext, next: CallHandler) {
    const before = this.ctx.get('user');
    return next.handle().pipe(
      mergeMap(async (body: object) => {
        await new Promise((resolve) => setTimeout(resolve, 1));
        return { ...body, before, after: this.ctx.get('user') };
      }),
    );
  }
}

@Controller()
class WhoController {
  constructor(
    private readonly current: RequestContext,
    private readonly cls: ClsService,
  ) {}

  @LoadUser
  @UseGuards(SeesUser)
  @UseInterceptors(AddsUser)
  @Get('who')
  async who(@Ctx() ctx: RequestContext) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    const { current } = this;
    return {
      own: this.cls.get<string>('own'),
      param: ctx.get('user'),
      injected: current.get('user'),
      guard: current.get('guard'),
    };
  }
}

/** @param connection in the callback of which a middleware continues */
function appOf(
  imports: NonNullable<Parameters<typeof Module>[0]['imports']>,
  connection?: SharedConnection,
): Type {
  @Module({ imports, controllers: [WhoController], providers: [SeesUser, AddsUser] })
  class AppModule implements NestModule {
    configure(consumer: MiddlewareConsumer): void {
      if (connection) consumer.apply(connection.middleware).forRoutes('{*path}');
    }
  }
  return AppModule;
}

/** The request of a middleware, or of a guard or an interceptor. */
function requestOf(first: Request | ExecutionContext): Request {
  return 'headers' in first ? first : first.switchToHttp().getRequest<Request>();
}

interface Request {
  readonly headers: Record<string, string>;
}

const everywhere = {
  own: 'of the application',
  param: 'ann',
  injected: 'ann',
  guard: 'ann',
  before: 'ann',
  after: 'ann',
};

describe.each(platforms)('Beside nestjs-cls on $name', (platform) => {
  const cases = Object.keys(mounts).flatMap((mount) => [
    { mount, order: 'before' },
    { mount, order: 'after' },
  ]);

  it.each(cases)('mounted by $mount, imported $order ours', async ({ mount, order }) => {
    const cls = ClsModule.forRoot({ global: true, ...mounts[mount] });
    const imports = order === 'before' ? [cls, ContextModule] : [ContextModule, cls];
    const { url } = await serve(appOf(imports), platform);
    const answer = await call(`${url}/who`, { headers: { 'x-user': 'ann' } });
    expect(answer).toEqual({ status: 200, body: everywhere });
  });

  it('mounted by app.use() in main.ts: its store is kept', async () => {
    const imports = [ClsModule.forRoot({ global: true }), ContextModule];
    const { url } = await serve(appOf(imports), platform, (app) =>
      app.use(new ClsMiddleware({ setup }).use),
    );
    const answer = await call(`${url}/who`, { headers: { 'x-user': 'ann' } });
    expect(answer).toEqual({ status: 200, body: everywhere });
  });

  it.each(Object.entries(mounts))(
    'mounted by %s: what it set is kept behind a callback',
    async (_, options) => {
      const connection = new SharedConnection();
      const setups = Object.entries(options).map(([mount, more]) => [
        mount,
        {
          ...(more as object),
          setup: (cls: ClsService, first: Request | ExecutionContext) =>
            cls.set('own', requestOf(first).headers['x-own']),
        },
      ]);
      const imports = [
        ClsModule.forRoot({ global: true, ...Object.fromEntries(setups) }),
        ContextModule,
      ];
      const { url } = await serve(appOf(imports, connection), platform);
      for (const own of ['one', 'two', 'three']) {
        const headers = { 'x-user': `user ${own}`, 'x-own': own };
        const user = headers['x-user'];
        expect(await call(`${url}/who`, { headers })).toEqual({
          status: 200,
          body: { own, param: user, injected: user, guard: user, before: user, after: user },
        });
      }
    },
  );

  it('mounted by cls.run() in main.ts: what it set is kept', async () => {
    const imports = [ClsModule.forRoot({ global: true }), ContextModule];
    const { url } = await serve(appOf(imports), platform, (app) => {
      const cls = app.get(ClsService);
      app.use((req: { headers: { own?: string } }, _: unknown, next: () => void) =>
        cls.run(() => {
          cls.set('own', req.headers.own);
          next();
        }),
      );
    });
    for (const own of ['one', 'two']) {
      const answer = await call(`${url}/who`, { headers: { 'x-user': 'ann', own } });
      expect(answer).toEqual({ status: 200, body: { ...everywhere, own } });
    }
  });

  it('not mounted at all', async () => {
    const { url } = await serve(
      appOf([ClsModule.forRoot({ global: true }), ContextModule]),
      platform,
    );
    const answer = await call(`${url}/who`, { headers: { 'x-user': 'ann' } });
    expect(answer).toEqual({ status: 200, body: { ...everywhere, own: undefined } });
  });
});
