import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  Controller,
  ForbiddenException,
  Get,
  Inject,
  Injectable,
  Module,
  type Provider,
  Scope,
  type Type,
} from '@nestjs/common';
import { ExternalContextCreator, REQUEST } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import {
  ContextModule,
  Ctx,
  defineAdapter,
  defineHttpContextDecorator,
  type HttpContextDecorator,
  RequestContext,
} from '@fledge/core';
import { call, closeAll, createApp, platforms, serve } from '../../../test/support/platforms.js';

afterEach(closeAll);

const ran: string[] = [];
beforeEach(() => void ran.splice(0));

/** A decorator that stores its source under a key, so that an answer tells which one won. */
function from(source: string, key = 'user', dependsOn: string[] = []): HttpContextDecorator {
  return defineHttpContextDecorator({
    key,
    dependsOn,
    resolve: async () => {
      await Promise.resolve();
      ran.push(`${key} from ${source}`);
      return source;
    },
  });
}

const valuesOf = (ctx: RequestContext, ...keys: string[]) =>
  Object.fromEntries(keys.map((key) => [key, ctx.get(key)]));

function app(controller: Type, imports: unknown[], providers: Provider[] = []): Type {
  @Module({ imports: imports as Type[], controllers: [controller], providers })
  class AppModule {}
  return AppModule;
}

describe.each(platforms)('Context decorators on $name', (platform) => {
  it('the strongest level supplies a key, and the others do not run', async () => {
    const OnMethod = from('method');
    const OnClass = from('class');

    @OnClass
    @Controller('decorated')
    class DecoratedController {
      @OnMethod
      @Get('method')
      method(@Ctx() ctx: RequestContext) {
        return valuesOf(ctx, 'user');
      }

      @Get('class')
      class(@Ctx() ctx: RequestContext) {
        return valuesOf(ctx, 'user');
      }
    }

    @Controller('feature')
    class FeatureController {
      @Get()
      module(@Ctx() ctx: RequestContext) {
        return valuesOf(ctx, 'user', 'tenant', 'trace');
      }
    }

    @Module({
      imports: [ContextModule.forFeature([from('module')])],
      controllers: [FeatureController, DecoratedController],
    })
    class FeatureModule {}

    @Controller('plain')
    class PlainController {
      @Get()
      plain(@Ctx() ctx: RequestContext) {
        return valuesOf(ctx, 'user', 'tenant', 'trace');
      }
    }

    const Adapter = defineAdapter({
      name: 'TenantAdapter',
      build: () => ({ contributors: [from('adapter'), from('adapter', 'tenant')] }),
    });
    const Global = ContextModule.forRootAsync({
      useFactory: () => ({
        contributors: [from('global'), from('global', 'tenant'), from('global', 'trace')],
      }),
    });
    const { url } = await serve(app(PlainController, [FeatureModule, Adapter(), Global]), platform);

    expect((await call(`${url}/decorated/method`)).body).toEqual({ user: 'method' });
    expect((await call(`${url}/decorated/class`)).body).toEqual({ user: 'class' });
    ran.splice(0);
    expect((await call(`${url}/feature`)).body).toEqual({
      user: 'module',
      tenant: 'adapter',
      trace: 'global',
    });
    expect(ran).toEqual(['trace from global', 'tenant from adapter', 'user from module']);
    expect((await call(`${url}/plain`)).body).toEqual({
      user: 'adapter',
      tenant: 'adapter',
      trace: 'global',
    });
  });

  it('run one after the other, in the order of what they depend on', async () => {
    const User = from('method', 'user', ['tenant', 'session']);
    const Tenant = from('method', 'tenant');
    const Session = from('class', 'session', ['tenant']);

    @Session
    @Controller()
    class OrderedController {
      @User
      @Tenant
      @Get()
      get(@Ctx() ctx: RequestContext) {
        return valuesOf(ctx, 'user');
      }
    }

    const { url } = await serve(app(OrderedController, [ContextModule]), platform);
    await call(url);
    expect(ran).toEqual(['tenant from method', 'session from class', 'user from method']);
  });

  it('get singletons and request-scoped providers, the same as the handler gets', async () => {
    @Injectable()
    class Clock {}

    @Injectable({ scope: Scope.REQUEST })
    class Session {
      readonly id = Math.random();

      constructor(@Inject(REQUEST) readonly request: { headers: Record<string, string> }) {}
    }

    const LoadSession = defineHttpContextDecorator({
      key: 'session',
      deps: { session: Session, clock: Clock, name: 'NAME' },
      resolve: (_, { session, clock, name }) => ({
        id: session.id,
        agent: session.request.headers['x-agent'],
        clock: clock instanceof Clock,
        name,
      }),
    });

    @LoadSession
    @Controller()
    class ScopedController {
      constructor(private readonly session: Session) {}

      @Get('scoped')
      get(@Ctx() ctx: RequestContext) {
        return { session: ctx.get('session'), id: this.session.id };
      }
    }

    @LoadSession
    @Controller()
    class StaticController {
      @Get('static')
      get(@Ctx() ctx: RequestContext) {
        return { session: ctx.get('session') };
      }
    }

    @Module({
      imports: [ContextModule],
      controllers: [ScopedController, StaticController],
      providers: [Session, Clock, { provide: 'NAME', useValue: 'fledge' }],
    })
    class AppModule {}

    const { url } = await serve(AppModule, platform);
    const ids = new Set<unknown>();
    for (const agent of ['one', 'two']) {
      const init = { headers: { 'x-agent': agent } };
      const session = { id: expect.any(Number), agent, clock: true, name: 'fledge' };
      const scoped = (await call(`${url}/scoped`, init)).body as { session: { id: number } };
      expect(scoped).toEqual({ session, id: scoped.session.id });
      const shared = (await call(`${url}/static`, init)).body as { session: { id: number } };
      expect(shared).toEqual({ session });
      ids.add(scoped.session.id).add(shared.session.id);
    }
    expect(ids.size).toBe(4);
  });

  it('fail as thrown, unless onError has a value or the key is optional', async () => {
    const refuse = () => {
      throw new ForbiddenException('no');
    };
    const Strict = defineHttpContextDecorator({ key: 'a', resolve: refuse });
    const Optional = defineHttpContextDecorator({ key: 'a', resolve: refuse, optional: true });
    const Mended = defineHttpContextDecorator({
      key: 'a',
      resolve: refuse,
      onError: (error, ctx) => `${(error as Error).message} ${ctx.method}`,
    });
    const Unmended = defineHttpContextDecorator({
      key: 'a',
      resolve: refuse,
      onError: () => undefined,
    });
    const Broken = defineHttpContextDecorator({
      key: 'a',
      resolve: () => {
        throw new TypeError('connect to postgres://secret');
      },
    });

    @Controller()
    class FailingController {
      @Strict
      @Get('strict')
      strict() {
        ran.push('handler');
      }

      @Optional
      @Get('optional')
      optional(@Ctx() ctx: RequestContext) {
        return { unset: ctx.get('a') === undefined };
      }

      @Mended
      @Get('mended')
      mended(@Ctx() ctx: RequestContext) {
        return valuesOf(ctx, 'a');
      }

      @Unmended
      @Get('unmended')
      unmended() {
        ran.push('handler');
      }

      @Broken
      @Get('broken')
      broken() {
        ran.push('handler');
      }
    }

    const { url } = await serve(app(FailingController, [ContextModule]), platform);
    const forbidden = {
      status: 403,
      body: { statusCode: 403, message: 'no', error: 'Forbidden' },
    };
    expect(await call(`${url}/strict`)).toEqual(forbidden);
    expect(await call(`${url}/unmended`)).toEqual(forbidden);
    expect(await call(`${url}/optional`)).toEqual({ status: 200, body: { unset: true } });
    expect(await call(`${url}/mended`)).toEqual({ status: 200, body: { a: 'no GET' } });
    expect(await call(`${url}/broken`)).toEqual({
      status: 500,
      body: { statusCode: 500, message: 'Internal server error' },
    });
    expect(ran).toEqual([]);
  });

  it('of one request share their request-scoped providers', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class Session {
      readonly id = Math.random();
    }
    const idOf = (key: string) =>
      defineHttpContextDecorator({
        key,
        deps: { session: Session },
        resolve: (_, { session }) => session.id,
      });
    const [A, B] = [idOf('a'), idOf('b')];

    @Controller()
    class SharingController {
      @A
      @B
      @Get()
      get(@Ctx() ctx: RequestContext) {
        return { a: ctx.get('a'), same: ctx.get('a') === ctx.get('b') };
      }
    }

    const { url } = await serve(app(SharingController, [ContextModule], [Session]), platform);
    expect((await call(url)).body).toEqual({ a: expect.any(Number), same: true });
  });

  it('of a base class apply to its subclasses, which may replace them', async () => {
    const BaseUser = from('base');
    const BaseTenant = from('base', 'tenant');
    const OwnUser = from('own');

    @BaseUser
    @BaseTenant
    class BaseController {
      @Get()
      get(@Ctx() ctx: RequestContext) {
        return valuesOf(ctx, 'user', 'tenant');
      }
    }

    @OwnUser
    @Controller('own')
    class OwnController extends BaseController {}

    @Controller('heir')
    class HeirController extends BaseController {}

    @Module({ imports: [ContextModule], controllers: [OwnController, HeirController] })
    class AppModule {}

    const { url } = await serve(AppModule, platform);
    expect((await call(`${url}/own`)).body).toEqual({ user: 'own', tenant: 'base' });
    expect((await call(`${url}/heir`)).body).toEqual({ user: 'base', tenant: 'base' });
  });

  it('run once, however often and wherever ContextModule is imported', async () => {
    @Controller()
    class OnceController {
      @Get()
      get(@Ctx() ctx: RequestContext) {
        return valuesOf(ctx, 'user');
      }
    }

    @Module({ imports: [ContextModule] })
    class OtherModule {}

    const Global = ContextModule.forRoot({ contributors: [from('global')] });
    const imports = [OtherModule, ContextModule, Global, ContextModule.forRoot()];
    const { url } = await serve(app(OnceController, imports), platform);
    expect((await call(url)).body).toEqual({ user: 'global' });
    expect(ran).toEqual(['user from global']);
  });
});

// On Express alone: Fastify refuses to mount one controller twice.
describe('Context decorators', () => {
  it('of every module that has a controller reach it, however Nest tells modules apart', async () => {
    @Controller()
    class SharedController {
      @Get()
      get(@Ctx() ctx: RequestContext) {
        return valuesOf(ctx, 'a', 'b');
      }
    }

    @Module({
      imports: [ContextModule.forFeature([from('one', 'a')])],
      controllers: [SharedController],
    })
    class OneModule {}

    @Module({
      imports: [ContextModule.forFeature([from('two', 'b')])],
      controllers: [SharedController],
    })
    class TwoModule {}

    @Module({ imports: [OneModule, TwoModule] })
    class AppModule {}

    for (const moduleIdGeneratorAlgorithm of ['reference', 'deep-hash'] as const) {
      const nest = await createApp(AppModule, new ExpressAdapter(), { moduleIdGeneratorAlgorithm });
      await nest.listen(0, '127.0.0.1');
      expect((await call(await nest.getUrl())).body).toEqual({ a: 'one', b: 'two' });
    }
  });
});

describe.each(['rmq', 'necord', 'cli'])('Handlers of the kind %s', (kind) => {
  @Injectable()
  class Listener {
    handle() {
      return 'handled';
    }
  }

  async function listen() {
    @Module({
      imports: [ContextModule.forRoot({ contributors: [from('global')] })],
      providers: [Listener],
    })
    class AppModule {}
    const application = await createApp(AppModule, new ExpressAdapter());
    await application.init();
    const creator = application.get(ExternalContextCreator);
    const listener = application.get(Listener);
    const { handle } = Listener.prototype;
    // As the packages of these kinds do, which pass their name as the kind.
    const args = [listener, handle, 'handle', undefined, undefined, undefined, undefined] as const;
    return creator.create(...args, undefined, kind) as () => Promise<string>;
  }

  it('run outside of requests, without the decorators of every route', async () => {
    const handle = await listen();
    expect(await handle()).toBe('handled');
    expect(ran).toEqual([]);
  });
});
