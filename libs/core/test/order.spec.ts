import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type ArgumentMetadata,
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
  type PipeTransform,
  Query,
  Scope,
  UseGuards,
  UseInterceptors,
  UsePipes,
} from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { ContextModule, defineHttpContextDecorator, RequestContext } from '@fledge/core';
import { call, closeAll, platforms, serve } from '../../../test/support/platforms.js';

afterEach(closeAll);

const steps: string[] = [];
beforeEach(() => void steps.splice(0));

/** What Nest runs for a route, each noting its name and the user it sees in the context. */
class Guard implements CanActivate {
  constructor(
    private readonly name: string,
    private readonly ctx?: RequestContext,
  ) {}

  canActivate(): boolean {
    steps.push(this.ctx ? `${this.name}: ${String(this.ctx.get('user'))}` : this.name);
    return true;
  }
}

class Interceptor implements NestInterceptor {
  constructor(private readonly name: string) {}

  intercept(_: ExecutionContext, next: CallHandler) {
    steps.push(this.name);
    return next.handle();
  }
}

class Pipe implements PipeTransform {
  constructor(private readonly name: string) {}

  transform(value: unknown, { type }: ArgumentMetadata) {
    steps.push(`${this.name} ${type}`);
    return value;
  }
}

const LoadUser = defineHttpContextDecorator({
  key: 'user',
  resolve: async () => {
    steps.push('contributor starts');
    await new Promise((resolve) => setTimeout(resolve, 2));
    steps.push('contributor ends');
    return 'ann';
  },
});

@Injectable({ scope: Scope.REQUEST })
class Scoped {}

@LoadUser
@UseGuards(new Guard('class guard'))
@Controller('static')
class StaticController {
  @UseGuards(new Guard('method guard'))
  @UseInterceptors(new Interceptor('method interceptor'))
  @UsePipes(new Pipe('method pipe'))
  @Get()
  get(@Query('q') _: string) {
    steps.push('handler');
  }
}

@LoadUser
@UseGuards(new Guard('class guard'))
@Controller('scoped')
class ScopedController {
  constructor(readonly scoped: Scoped) {}

  @UseGuards(new Guard('method guard'))
  @Get()
  get() {
    steps.push('handler');
  }
}

@Module({
  imports: [ContextModule],
  controllers: [StaticController, ScopedController],
  providers: [
    Scoped,
    {
      provide: APP_GUARD,
      useFactory: (ctx: RequestContext) => new Guard('APP_GUARD', ctx),
      inject: [RequestContext],
    },
    {
      provide: APP_GUARD,
      scope: Scope.REQUEST,
      useFactory: () => new Guard('scoped APP_GUARD'),
    },
    { provide: APP_INTERCEPTOR, useFactory: () => new Interceptor('APP_INTERCEPTOR') },
    { provide: APP_PIPE, useFactory: () => new Pipe('APP_PIPE') },
  ],
})
class AppModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer
      .apply((_: unknown, __: unknown, next: () => void) => {
        steps.push('middleware');
        next();
      })
      .forRoutes(StaticController, ScopedController);
  }
}

describe.each(platforms)('On $name, context decorators run', (platform) => {
  const start = () =>
    serve(AppModule, platform, (app) => {
      app.useGlobalGuards(new Guard('useGlobalGuards', app.get(RequestContext)));
      app.use((_: unknown, __: unknown, next: () => void) => {
        steps.push('app.use');
        next();
      });
    });

  it('after all middleware, before every guard, interceptor and pipe', async () => {
    const { url } = await start();
    expect((await call(`${url}/static?q=1`)).status).toBe(200);
    expect(steps.filter((step) => step !== 'scoped APP_GUARD')).toEqual([
      'app.use',
      'middleware',
      'contributor starts',
      'contributor ends',
      'APP_GUARD: ann',
      'useGlobalGuards: ann',
      'class guard',
      'method guard',
      'APP_INTERCEPTOR',
      'method interceptor',
      'APP_PIPE query',
      'method pipe query',
      'handler',
    ]);
  });

  it('so in request-scoped controllers, whose guards are put together per request', async () => {
    const { url } = await start();
    expect((await call(`${url}/scoped`)).status).toBe(200);
    expect(steps).toEqual([
      'app.use',
      'middleware',
      'contributor starts',
      'contributor ends',
      'APP_GUARD: ann',
      'useGlobalGuards: ann',
      'scoped APP_GUARD',
      'class guard',
      'method guard',
      'APP_INTERCEPTOR',
      'handler',
    ]);
  });
});
