// Middleware and hooks that continue in a callback of a connection that requests share, as many drivers do. Node
// calls back in the context of the request that opened the connection.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type ArgumentsHost,
  Body,
  type CallHandler,
  type CanActivate,
  Catch,
  Controller,
  createParamDecorator,
  type ExceptionFilter,
  type ExecutionContext,
  Get,
  HttpException,
  type INestApplication,
  Injectable,
  type MiddlewareConsumer,
  Module,
  type NestInterceptor,
  type NestMiddleware,
  type NestModule,
  type PipeTransform,
  Post,
  Scope,
  Sse,
  StreamableFile,
  UseGuards,
  UseInterceptors,
  UsePipes,
} from '@nestjs/common';
import { APP_FILTER, HttpAdapterHost } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import {
  ContextModule,
  Ctx,
  defineAdapter,
  defineHttpContextDecorator,
  definePlugin,
  RequestContext,
} from '@fledge/core';
import { currentRequestContext } from '@fledge/core/packages';
import express from 'express';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { interval, map, take } from 'rxjs';
import { closeAll, type Platform, platforms, serve } from '../../../test/support/platforms.js';
import { addFastifyHook, SharedConnection } from '../../../test/support/shared-connection.js';

afterEach(closeAll);

let connection: SharedConnection;
beforeEach(() => {
  connection = new SharedConnection();
});

const here = () => currentRequestContext()?.headers['x-user'] ?? 'nobody';

@Injectable()
class Guard implements CanActivate {
  canActivate(): boolean {
    currentRequestContext()?.set('guard', here());
    return true;
  }
}

@Injectable()
class Interceptor implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler<object>) {
    const before = here();
    return next.handle().pipe(map((body) => ({ ...body, before, after: here() })));
  }
}

@Injectable()
class Pipe implements PipeTransform {
  transform(value: unknown): unknown {
    currentRequestContext()?.set('pipe', here());
    return value;
  }
}

@Injectable({ scope: Scope.REQUEST })
class PerRequest {
  readonly user = here();
}

const Here = createParamDecorator(() => here());
const LoadUser = defineHttpContextDecorator({ key: 'contributor', resolve: () => here() });

@Controller()
class Routes {
  constructor(private readonly current: RequestContext) {}

  @LoadUser
  @UseGuards(Guard)
  @UseInterceptors(Interceptor)
  @UsePipes(Pipe)
  @Post('everything')
  everything(@Ctx() ctx: RequestContext, @Here() param: unknown, @Body() body: object) {
    const { current } = this;
    const [guard, pipe, contributor] = ['guard', 'pipe', 'contributor'].map((key) => ctx.get(key));
    return {
      param,
      guard,
      pipe,
      contributor,
      handler: here(),
      own: current.headers['x-user'],
      body,
    };
  }

  @Get('fails')
  fails() {
    throw new HttpException('of the handler', 418);
  }

  @Get('stream')
  stream() {
    async function* users() {
      for (let i = 0; i < 3; i += 1) {
        yield `${String(here())} `;
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    }
    return new StreamableFile(Readable.from(users()));
  }

  @Sse('events')
  events() {
    return interval(1).pipe(
      take(2),
      map(() => ({ data: here() })),
    );
  }
}

@Controller('scoped')
class ScopedRoutes {
  constructor(private readonly own: PerRequest) {}

  @Get()
  scoped() {
    return { user: this.own.user };
  }
}

@Catch()
class Filter implements ExceptionFilter {
  constructor(private readonly host: HttpAdapterHost) {}

  catch(error: Error, host: ArgumentsHost): void {
    const body = { message: error.message, user: here() };
    this.host.httpAdapter.reply(host.switchToHttp().getResponse(), body, 418);
  }
}

/** Sees the context behind the middleware that continues in a callback. */
class SecondMiddleware implements NestMiddleware {
  use(_req: unknown, res: ServerResponse, next: () => void): void {
    res.setHeader('x-second', here());
    next();
  }
}

const answer = (_req: IncomingMessage, res: ServerResponse) =>
  void res.setHeader('content-type', 'application/json').end(JSON.stringify({ user: here() }));
const Plugin = definePlugin({
  name: 'Plugin',
  build: () => ({ middleware: () => [{ path: '/plugin', handler: answer }] }),
});
const Adapter = defineAdapter({
  name: 'Adapter',
  build: () => ({ beforeMount: ({ app }) => app.use('/adapter', answer) }),
});

const parts = {
  imports: [ContextModule, Plugin(), Adapter()],
  controllers: [Routes, ScopedRoutes],
  providers: [PerRequest, { provide: APP_FILTER, useClass: Filter }],
};

@Module(parts)
class PlainModule {}

/** The first middleware of the application continues in a callback, with an error for some paths. */
@Module({ ...parts, imports: [...parts.imports] })
class MiddlewareModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    const failing = (req: { originalUrl?: string }, _: unknown, next: (error?: Error) => void) => {
      const isRefused = req.originalUrl?.startsWith('/refused');
      connection.query(() => next(isRefused ? new Error('of the middleware') : undefined));
    };
    consumer.apply(failing, SecondMiddleware).forRoutes('*path');
  }
}

const hooks = ['onRequest', 'preParsing', 'preValidation', 'preHandler'];
const cases: [
  name: string,
  module: typeof PlainModule,
  prepare?: (app: INestApplication) => void,
][] = [
  ['middleware of a module', MiddlewareModule],
  ['app.use()', PlainModule, (app) => app.use(connection.middleware)],
  ...hooks.map((hook): (typeof cases)[number] => [
    `the hook ${hook} of Fastify`,
    PlainModule,
    (app) => addFastifyHook(app, hook, connection),
  ]),
];

const users = ['first', 'a', 'b', 'a', 'c'];

async function askAll(url: string, init: RequestInit = {}): Promise<Response[]> {
  const answers = [];
  for (const user of users) {
    const headers = { 'x-user': user, 'content-type': 'application/json' };
    answers.push(await fetch(url, { ...init, headers }));
  }
  return answers;
}

const ofPlatform = ({ name }: Platform) =>
  cases.filter(([place]) => name === 'Fastify' || !place.endsWith('of Fastify'));

describe.each(platforms)('Callbacks of a shared connection on $name', (platform) => {
  describe.each(ofPlatform(platform))('in %s', (_, module, prepare) => {
    let url: string;
    beforeEach(async () => {
      ({ url } = await serve(module, platform, prepare));
    });

    it('leave guards, pipes, interceptors and the handler in the context of their request', async () => {
      const answers = await askAll(`${url}/everything`, { method: 'POST', body: '{"a":1}' });
      expect(await Promise.all(answers.map((each) => each.json()))).toEqual(
        users.map((user) => ({
          param: user,
          guard: user,
          pipe: user,
          contributor: user,
          handler: user,
          own: user,
          before: user,
          after: user,
          body: { a: 1 },
        })),
      );
    });

    it.each([
      ['scoped', (user: string) => JSON.stringify({ user })],
      ['plugin', (user: string) => JSON.stringify({ user })],
      ['adapter', (user: string) => JSON.stringify({ user })],
      ['fails', (user: string) => JSON.stringify({ message: 'of the handler', user })],
      ['missing', (user: string) => JSON.stringify({ message: 'Cannot GET /missing', user })],
      ['stream', (user: string) => `${user} ${user} ${user} `],
      [
        'events',
        (user: string) => expect.stringMatching(new RegExp(`data: ${user}\n[^]*data: ${user}\n`)),
      ],
    ])('leave /%s there', async (path, expected) => {
      const answers = await askAll(`${url}/${path}`);
      expect(await Promise.all(answers.map((each) => each.text()))).toEqual(
        users.map((user) => expected(user) as unknown),
      );
    });
  });

  it('that pass an error on leave exception filters in the context of their request', async () => {
    const { url } = await serve(MiddlewareModule, platform);
    const answers = await askAll(`${url}/refused`);
    expect(await Promise.all(answers.map((each) => each.json()))).toEqual(
      users.map((user) => ({ message: 'of the middleware', user })),
    );
  });

  it('leave the next middleware in the context of its request', async () => {
    const { url } = await serve(MiddlewareModule, platform);
    const answers = await askAll(`${url}/scoped`);
    expect(answers.map(({ headers }) => headers.get('x-second'))).toEqual(users);
  });

  it('in front of the context leave filters without the context of another request', async () => {
    const opening = new SharedConnection();
    @Module(parts)
    class OpeningModule implements NestModule {
      configure(consumer: MiddlewareConsumer): void {
        consumer.apply(opening.middleware).forRoutes('*path');
      }
    }
    const { url } = await serve(OpeningModule, platform, (app) =>
      app.use((req: { url: string }, _: unknown, next: (error?: Error) => void) => {
        if (req.url === '/early') opening.query(() => next(new Error('of main.ts')));
        else next();
      }),
    );
    await askAll(`${url}/scoped`);
    const answers = await askAll(`${url}/early`);
    // On Fastify, middleware of `main.ts` runs behind the context of NestJS 12.
    expect(await Promise.all(answers.map((each) => each.json()))).toEqual(
      users.map(() => ({ message: 'of main.ts', user: 'nobody' })),
    );
  });

  it('do no harm in an application of a testing module', async () => {
    const module = await Test.createTestingModule({ imports: [MiddlewareModule] }).compile();
    const app = module.createNestApplication(platform.adapter(), { logger: false });
    await app.listen(0, '127.0.0.1');
    const answers = await askAll(`${await app.getUrl()}/scoped`);
    expect(await Promise.all(answers.map((each) => each.json()))).toEqual(
      users.map((user) => ({ user })),
    );
    await app.close();
  });
});

describe('Routers and applications of Express in main.ts', () => {
  it('stay what they are, and see no context of another request', async () => {
    const inner = express();
    const say = (_: unknown, res: express.Response) =>
      void res.json({ user: here(), mounted: inner.mountpath });
    const router = express.Router();
    for (const each of [inner, router]) each.get('/who', say);
    const { app, url } = await serve(MiddlewareModule, platforms[0]!, (made) => {
      made.use((req: { url: string }, res: unknown, next: () => void) =>
        req.url === '/scoped' ? next() : connection.middleware(req, res, next),
      );
      made.use('/inner', inner);
      made.use('/router', [router]);
    });
    // Opens the connection in the context of a request.
    await askAll(`${url}/scoped`);
    for (const path of ['inner', 'router']) {
      const answers = await askAll(`${url}/${path}/who`);
      expect(await Promise.all(answers.map((each) => each.json()))).toEqual(
        users.map(() => ({ user: 'nobody', mounted: '/inner' })),
      );
    }
    const stack = (app.getHttpAdapter().getInstance() as express.Application).router.stack;
    expect(stack.map(({ handle }) => handle)).toContain(router);
  });
});

describe('Routes of Fastify with hooks of their own', () => {
  it.each(['a hook of the same route', 'middleware'])(
    'are in the context of their request after %s that continues in a callback',
    async (first) => {
      const seen: string[] = [];
      const see = (_req: unknown, _reply: unknown, done: () => void) => {
        seen.push(String(here()));
        done();
      };
      const continueLater = (_req: unknown, _reply: unknown, done: () => void) =>
        connection.query(done);
      const isHook = first !== 'middleware';
      const { url } = await serve(
        isHook ? PlainModule : MiddlewareModule,
        platforms.find(({ name }) => name === 'Fastify')!,
        (app) => {
          const fastify = app.getHttpAdapter().getInstance() as { route(route: object): void };
          fastify.route({
            method: 'GET',
            url: '/own',
            preHandler: isHook ? [continueLater, see] : see,
            onResponse: see,
            handler: () => here(),
          });
        },
      );
      const answers = await askAll(`${url}/own`);
      expect(await Promise.all(answers.map((each) => each.text()))).toEqual(users);
      expect(seen).toEqual(users.flatMap((user) => [user, user]));
    },
  );
});
