import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  All,
  Controller,
  Get,
  type INestApplication,
  Injectable,
  type MiddlewareConsumer,
  Module,
  type NestModule,
  Scope,
  type Type,
  VersioningType,
} from '@nestjs/common';
import { NestFactory, RouterModule } from '@nestjs/core';
import {
  type AdapterHooks,
  type Container,
  ContextModule,
  defineAdapter,
  definePlugin,
  type MountHandler,
  type MountPoint,
  RequestContext,
} from '@fledge/core';
import type { Server } from 'node:http';
import {
  call,
  closeAll,
  createApp,
  type Platform,
  platforms,
  serve,
} from '../../../test/support/platforms.js';
import { until } from '../../../test/support/until.js';

afterEach(closeAll);

const log: string[] = [];
beforeEach(() => void log.splice(0));

@Injectable()
class Users {
  readonly name = 'ann';
}

@Injectable({ scope: Scope.REQUEST })
class Session {
  readonly id = Math.random();
}

@Controller('tasks')
class TasksController {
  constructor(
    readonly session: Session,
    readonly ctx: RequestContext,
  ) {}

  @Get()
  list() {
    return { session: this.session.id };
  }
}

@Controller('zz')
class CatchAllController {
  @All('*')
  all() {
    return { caught: true };
  }
}

const json =
  (body: unknown): MountHandler =>
  (_, res) => {
    res.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  };

/** An application with these modules, whose own middleware sets `req.user`. */
function appOf(...imports: unknown[]): Type {
  @Module({
    imports: [ContextModule, ...(imports as Type[])],
    controllers: [TasksController, CatchAllController],
    providers: [Users, Session],
  })
  class AppModule implements NestModule {
    configure(consumer: MiddlewareConsumer): void {
      consumer
        .apply((req: Record<string, unknown>, _: unknown, next: () => void) => {
          req['user'] = 'mw-user';
          next();
        })
        .forRoutes('{*path}');
    }
  }
  return AppModule;
}

/** An adapter with these hooks and no options. */
const adapter = (name: string, hooks: AdapterHooks) =>
  defineAdapter({ name, build: () => hooks })();

describe.each(platforms)('Adapters on $name', (platform: Platform) => {
  it('pass their stages in order', async () => {
    const noting = (name: string) =>
      adapter(name, {
        beforeMount: ({ container }) => {
          log.push(`${name}.beforeMount ${container.get(Users).name}`);
        },
        onRouteMount: (controller, path) => void log.push(`${name}: ${controller.name} ${path}`),
        beforeStart: () => void log.push(`${name}.beforeStart`),
        afterStart: async ({ server }) => {
          await Promise.resolve();
          log.push(`${name}.afterStart ${server.listening}`);
        },
        shutdown: () => void log.push(`${name}.shutdown`),
      });

    const { app } = await serve(appOf(noting('A'), noting('B')), platform, (it) =>
      it.setGlobalPrefix('api'),
    );
    await app.close();
    expect(log).toEqual([
      'A.beforeMount ann',
      'B.beforeMount ann',
      'A: TasksController /api/tasks',
      'A: CatchAllController /api/zz',
      'B: TasksController /api/tasks',
      'B: CatchAllController /api/zz',
      'A.beforeStart',
      'B.beforeStart',
      'A.afterStart true',
      'B.afterStart true',
      'A.shutdown',
      'B.shutdown',
    ]);
  });

  it('are told the paths the router serves', async () => {
    @Controller({ path: ['a', 'b'], version: '2' })
    class VersionedController {}

    @Module({ controllers: [VersionedController] })
    class FeatureModule {}

    const paths: string[] = [];
    const Listener = adapter('Listener', {
      onRouteMount: (_, path) => void paths.push(path),
    });
    const routed = RouterModule.register([{ path: 'feature', module: FeatureModule }]);

    @Module({ imports: [FeatureModule, routed, Listener] })
    class AppModule {}

    await serve(AppModule, platform, (app) => {
      app.setGlobalPrefix('api').enableVersioning({ type: VersioningType.URI });
    });
    expect(paths).toEqual(['/api/v2/feature/a', '/api/v2/feature/b']);
  });

  it('mount before the routes, under the global prefix, inside the request context', async () => {
    const Mounting = defineAdapter<{ path: string; greeting: string }>({
      name: 'Mounting',
      defaults: { path: '/hook', greeting: 'hello' },
      build: ({ path, greeting }) => ({
        beforeMount: ({ app, container }) => {
          const ctx = container.get(RequestContext);
          app.use(path, (req, res, next) =>
            json({ greeting, user: ctx.get('user'), url: ctx.url })(req, res, next),
          );
        },
      }),
    });
    const modules = appOf(Mounting({ path: 'zz/hook', greeting: undefined as never }));
    const { url } = await serve(modules, platform, (app) => app.setGlobalPrefix('api'));
    expect(await call(`${url}/api/zz/hook?a=1`, { method: 'DELETE' })).toEqual({
      status: 200,
      body: { greeting: 'hello', user: 'mw-user', url: '/api/zz/hook?a=1' },
    });
    expect((await call(`${url}/zz/hook`)).status).toBe(404);
    expect((await call(`${url}/api/zz/hook/below`)).body).toEqual({ caught: true });
  });

  it('mount after the middleware of all modules, and without the version of the routes', async () => {
    @Module({})
    class AuthModule implements NestModule {
      configure(consumer: MiddlewareConsumer): void {
        const refuse: MountHandler = (_, res) => {
          res.writeHead(401).end();
        };
        consumer.apply(refuse).forRoutes('hook');
      }
    }
    const mounting = () =>
      adapter('Mounting', { beforeMount: ({ app }) => app.use('/hook', json({ taken: true })) });
    const version = (app: INestApplication) =>
      app.enableVersioning({ type: VersioningType.URI, defaultVersion: ['1', '2'] });
    const open = await serve(appOf(mounting()), platform, version);
    expect((await call(`${open.url}/hook`)).body).toEqual({ taken: true });
    expect((await call(`${open.url}/v1/hook`)).status).toBe(404);
    const nested = { module: class Feature {}, imports: [AuthModule] };
    const closed = await serve(appOf(mounting(), nested), platform);
    expect((await call(`${closed.url}/hook`)).status).toBe(401);
  });

  it('resolve request-scoped providers: the instance of the request', async () => {
    let container: Container | undefined;
    const Resolving = adapter('Resolving', {
      beforeMount: (stage) => void (container = stage.container),
      contributors: [],
    });

    @Controller('session')
    class SessionController {
      constructor(readonly session: Session) {}

      @Get()
      async get() {
        const resolved = await container!.resolve(Session);
        const users = await container!.resolve<Users>(Users);
        return { same: resolved === this.session, users: users.name };
      }
    }

    @Module({
      imports: [Resolving],
      controllers: [SessionController],
      providers: [Session, Users],
    })
    class AppModule {}

    const { url } = await serve(AppModule, platform);
    expect((await call(`${url}/session`)).body).toEqual({ same: true, users: 'ann' });
    expect(() => container!.get(Session)).toThrow('scoped');
    expect(await container!.resolve(Session)).not.toBe(await container!.resolve(Session));
  });

  it.each(['beforeMount', 'onRouteMount', 'beforeStart', 'afterStart'] as const)(
    'stop the boot when %s throws',
    async (hook) => {
      const cause = new Error('no such host');
      const failing = adapter('Mailer', { [hook]: () => Promise.reject(cause) });
      const app = await createApp(appOf(failing), platform.adapter());
      await expect(app.listen(0, '127.0.0.1')).rejects.toMatchObject({
        code: 'CORE_ADAPTER_HOOK_FAILED',
        message: `Mailer failed in ${hook}: no such host`,
        cause,
      });
      expect((app.getHttpServer() as Server).listening).toBe(false);
    },
  );

  it('stop the boot when build throws', async () => {
    const Failing = defineAdapter({
      name: 'Mailer',
      build: () => {
        throw new Error('port missing');
      },
    });
    await expect(createApp(appOf(Failing()), platform.adapter())).rejects.toThrow(
      'Mailer failed in build: port missing',
    );
  });

  it('refuse a mount that would come too late', async () => {
    let late: MountPoint | undefined;
    const Late = adapter('Late', {
      beforeMount: ({ app }) => void (late = app),
      beforeStart: () => late?.use('/late', json({})),
    });
    const app = await createApp(appOf(Late), platform.adapter());
    await expect(app.init()).rejects.toMatchObject({
      message: expect.stringContaining(
        'Late called app.use() for "/late" after the routes were mounted',
      ),
      cause: expect.objectContaining({ code: 'CORE_LATE_MOUNT' }),
    });
  });

  it('do not start in an application that never listens', async () => {
    const Quiet = adapter('Quiet', {
      beforeStart: () => void log.push('beforeStart'),
      afterStart: () => void log.push('afterStart'),
    });
    const app = await createApp(appOf(Quiet), platform.adapter());
    await app.init();
    await app.close();
    expect(log).toEqual(['beforeStart']);
  });

  it('start when the server is made to listen by other means', async () => {
    const Started = adapter('Started', { afterStart: () => void log.push('afterStart') });
    const app = await createApp(appOf(Started), platform.adapter());
    await app.init();
    const server = app.getHttpServer() as Server;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    expect(log).toEqual(['afterStart']);
  });

  it('start when the adapter listens at a port without a callback', async () => {
    const first = await serve(appOf(), platform);
    const port = Number(new URL(first.url).port);
    await first.app.close();
    const Started = adapter('Started', { afterStart: () => void log.push('afterStart') });
    const app = await createApp(appOf(Started), platform.adapter());
    await app.init();
    const listen = app.getHttpAdapter() as { listen(port: number): unknown };
    await listen.listen(port);
    await until(() => log.length > 0, 'the adapter started');
    expect((app.getHttpServer() as Server).address()).toMatchObject({ port });
  });

  it('leave a failing listen to Nest', async () => {
    const first = await serve(appOf(), platform);
    const { port } = new URL(first.url);
    const Started = adapter('Started', { afterStart: () => void log.push('afterStart') });
    const app = await createApp(appOf(Started), platform.adapter());
    await expect(app.listen(Number(port), '127.0.0.1')).rejects.toThrow('EADDRINUSE');
    expect(log).toEqual([]);
  });

  it('are waited for when the application closes, but not for ever', async () => {
    const Slow = adapter('Slow', {
      shutdown: async () => {
        await new Promise((resolve) => setImmediate(resolve));
        log.push('slow');
      },
    });
    const Hanging = defineAdapter({
      name: 'Hanging',
      shutdownTimeoutMs: 60,
      build: () => ({ shutdown: () => new Promise(() => undefined) }),
    });
    const Throwing = adapter('Throwing', { shutdown: () => Promise.reject(new Error('x')) });
    const { app } = await serve(appOf(Hanging(), Throwing, Slow), platform);
    // Never, if it waited for the one that hangs.
    await app.close();
    expect(log).toEqual(['slow']);
  });

  it('are built anew for each application', async () => {
    const Counting = defineAdapter({
      name: 'Counting',
      build: () => {
        let calls = 0;
        return {
          beforeMount: ({ app }) =>
            app.use('/count', (req, res, next) => json({ calls: ++calls })(req, res, next)),
        };
      },
    })();
    const one = await serve(appOf(Counting), platform);
    const two = await serve(appOf(Counting), platform);
    expect((await call(`${one.url}/count`)).body).toEqual({ calls: 1 });
    expect((await call(`${two.url}/count`)).body).toEqual({ calls: 1 });
  });

  it('of one name and equal options stay two', async () => {
    const Path = (path: string) =>
      definePlugin({
        name: 'Twin',
        build: () => ({ middleware: () => [{ path, handler: json({ path }) }] }),
      })();
    const modules = appOf(Path('/one'), Path('/two'));
    const app = await createApp(modules, platform.adapter(), {
      moduleIdGeneratorAlgorithm: 'deep-hash',
    });
    await app.listen(0, '127.0.0.1');
    const url = await app.getUrl();
    expect((await call(`${url}/one`)).body).toEqual({ path: '/one' });
    expect((await call(`${url}/two`)).body).toEqual({ path: '/two' });
  });
});

describe('Without a server', () => {
  it('an adapter is built and shut down, and nothing is mounted', async () => {
    const Worker = adapter('Worker', {
      beforeMount: () => void log.push('beforeMount'),
      beforeStart: () => void log.push('beforeStart'),
      shutdown: () => void log.push('shutdown'),
    });
    const options = { logger: false as const, abortOnError: false };
    const context = await NestFactory.createApplicationContext(appOf(Worker), options);
    await context.close();
    expect(log).toEqual(['shutdown']);
  });
});
