import { afterEach, describe, expect, it } from '@jest/globals';
import {
  type CallHandler,
  Controller,
  type ExecutionContext,
  Get,
  Injectable,
  type MiddlewareConsumer,
  Module,
  type NestInterceptor,
  ParseIntPipe,
  Post,
  UseInterceptors,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ContextModule, Ctx, FromContext, RequestContext } from '@fledge/core';
import { map } from 'rxjs';
import { call, closeAll, platforms, post, serve } from '../../../test/support/platforms.js';

afterEach(closeAll);

let constructed = 0;

@Injectable()
class Audit {
  constructor(private readonly ctx: RequestContext) {
    constructed += 1;
  }

  async line(): Promise<string> {
    await new Promise((resolve) => setTimeout(resolve, 1));
    return `${this.ctx.method} ${this.ctx.url}`;
  }
}

class Envelope implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler) {
    return next.handle().pipe(map((data: unknown) => ({ data })));
  }
}

@Controller('tasks')
class TasksController {
  constructor(
    private readonly audit: Audit,
    private readonly current: RequestContext,
  ) {}

  @Get('parts/:id')
  async parts(@Ctx() ctx: RequestContext) {
    const { params, query, method, url } = ctx;
    return {
      params,
      query,
      method,
      url,
      agent: ctx.headers['x-agent'],
      line: await this.audit.line(),
    };
  }

  @Get('same')
  same(@Ctx() ctx: RequestContext) {
    ctx.set('mark', { made: 'here' });
    const req = this.current.req === ctx.req && this.current.res === ctx.res;
    return { req, mark: this.current.get('mark') === ctx.get('mark') };
  }

  @Get('user')
  user(@FromContext('user') user: unknown, @FromContext('page', ParseIntPipe) page: number) {
    return { user, page };
  }

  @Get('missing')
  missing(@Ctx() ctx: RequestContext) {
    return ctx.require('invoice');
  }

  @UseInterceptors(Envelope)
  @Post('created')
  create(@Ctx() ctx: RequestContext) {
    return ctx.created(ctx.body);
  }

  @UseInterceptors(Envelope)
  @Post('json')
  json() {
    return this.current.json({ a: 1 }, 202);
  }

  @Post('plain')
  plain(@Ctx() ctx: RequestContext) {
    return ctx.json({ a: 1 });
  }

  @Post('none')
  none(@Ctx() ctx: RequestContext) {
    return ctx.noContent();
  }
}

@Module({
  imports: [ContextModule],
  controllers: [TasksController],
  providers: [Audit],
})
class AppModule {
  constructor(private readonly ctx: RequestContext) {}

  configure(consumer: MiddlewareConsumer): void {
    consumer
      .apply((req: Record<string, unknown>, _: unknown, next: () => void) => {
        req['user'] = 'mw-user';
        this.ctx.set('page', '7');
        next();
      })
      .forRoutes({ path: '*path', method: 0 });
  }
}

describe.each(platforms)('The request context on $name', (platform) => {
  it('shows the parts of the request, to handlers and to singletons', async () => {
    const { url } = await serve(AppModule, platform, (app) => app.setGlobalPrefix('api'));
    const before = constructed;
    const answer = await call(`${url}/api/tasks/parts/4?a=b`, { headers: { 'x-agent': 'spec' } });
    expect(answer).toEqual({
      status: 200,
      body: {
        params: { id: '4' },
        query: { a: 'b' },
        method: 'GET',
        url: '/api/tasks/parts/4?a=b',
        agent: 'spec',
        line: 'GET /api/tasks/parts/4?a=b',
      },
    });
    expect(constructed).toBe(before);
  });

  it('is one, injected or taken by @Ctx()', async () => {
    const { url } = await serve(AppModule, platform);
    expect((await call(`${url}/tasks/same`)).body).toEqual({ req: true, mark: true });
  });

  it('gives values set in middleware, and what middleware left at req.user', async () => {
    const { url } = await serve(AppModule, platform);
    expect((await call(`${url}/tasks/user`)).body).toEqual({ user: 'mw-user', page: 7 });
  });

  it('answers with a status while interceptors still see the body', async () => {
    const { url } = await serve(AppModule, platform);
    expect(await call(`${url}/tasks/created`, post({ t: 'x' }))).toEqual({
      status: 201,
      body: { data: { t: 'x' } },
    });
    expect(await call(`${url}/tasks/json`, post({}))).toEqual({
      status: 202,
      body: { data: { a: 1 } },
    });
    expect(await call(`${url}/tasks/plain`, post({}))).toEqual({ status: 201, body: { a: 1 } });
    expect(await call(`${url}/tasks/none`, post({}))).toEqual({ status: 204, body: undefined });
  });

  it('tells the client nothing about a missing value', async () => {
    const { url } = await serve(AppModule, platform);
    expect(await call(`${url}/tasks/missing`)).toEqual({
      status: 500,
      body: { statusCode: 500, message: 'Internal server error' },
    });
  });
});

describe('Without a server', () => {
  it('the context can be injected, and says so when it is used', async () => {
    const context = await NestFactory.createApplicationContext(AppModule, {
      logger: false,
      abortOnError: false,
    });
    expect(() => context.get(RequestContext).get('user')).toThrow(
      expect.objectContaining({ code: 'CORE_NO_REQUEST_CONTEXT' }),
    );
    expect(() => context.get(RequestContext).set('user', 1)).toThrow(
      'There is no request context here',
    );
    await context.close();
  });
});
