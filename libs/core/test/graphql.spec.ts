import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type CanActivate,
  ConflictException,
  Controller,
  Get,
  Injectable,
  Module,
  Req,
  Res,
  UseGuards,
} from '@nestjs/common';
import { ExternalContextCreator } from '@nestjs/core';
import {
  ContextModule,
  Ctx,
  defineHttpContextDecorator,
  FromContext,
  RequestContext,
} from '@fledge/core';
import { call, closeAll, platforms, serve } from '../../../test/support/platforms.js';
import { SharedConnection } from '../../../test/support/shared-connection.js';

// Resolvers run through the same public ExternalContextCreator that @nestjs/graphql uses, with the
// arguments of a resolver: root, args, context, info.

afterEach(closeAll);

let resolved = 0;
let connection: SharedConnection;
beforeEach(() => {
  resolved = 0;
  connection = new SharedConnection();
});

const LoadUser = defineHttpContextDecorator({
  key: 'user',
  resolve: async (ctx) => {
    resolved += 1;
    await new Promise((resolve) => setTimeout(resolve, 2));
    return ctx.headers['x-user'];
  },
});

@Injectable()
class SeesUser implements CanActivate {
  constructor(private readonly ctx: RequestContext) {}

  canActivate(): boolean {
    return this.ctx.get('user') === 'ann';
  }
}

@Injectable()
class TasksResolver {
  constructor(private readonly current: RequestContext) {}

  @LoadUser
  @UseGuards(SeesUser)
  tasks(@Ctx() ctx: RequestContext, @FromContext('user') user: unknown) {
    return { user, url: ctx.url, same: this.current.req === ctx.req, platform: 'query' in ctx.req };
  }

  @LoadUser
  more(@FromContext('user') user: unknown) {
    return { user };
  }

  plain(@Ctx() ctx: RequestContext) {
    return { seen: ctx.get('user') };
  }
}

type Resolver = (root: unknown, args: unknown, context: unknown, info: unknown) => Promise<unknown>;

@Controller()
class GraphqlController {
  constructor(
    private readonly creator: ExternalContextCreator,
    private readonly tasks: TasksResolver,
  ) {}

  @Get('graphql')
  async run(@Req() req: object, @Res({ passthrough: true }) res: object) {
    const run = (method: 'tasks' | 'more' | 'plain', context: object) =>
      this.resolver(method)(undefined, {}, context, {});
    const [tasks, more] = await Promise.all([
      run('tasks', { req, res }),
      run('more', { req, res }),
    ]);
    return { tasks, more, plain: await run('plain', { req: { subscription: true } }) };
  }

  @Get('foreign')
  async foreign(@Req() req: object) {
    await new Promise<void>((resolve, reject) => {
      const run = () => this.resolver('plain')(undefined, {}, { req }, {});
      connection.query(() => void run().then(() => resolve(), reject));
    }).catch(({ code }: { code: string }) => {
      throw new ConflictException(code);
    });
  }

  private resolver(method: 'tasks' | 'more' | 'plain'): Resolver {
    return this.creator.create(
      this.tasks,
      this.tasks[method] as (...args: unknown[]) => unknown,
      method,
      '__routeArguments__',
      { exchangeKeyForValue: () => undefined },
      undefined,
      undefined,
      undefined,
      'graphql',
    ) as Resolver;
  }
}

@Module({
  imports: [ContextModule],
  controllers: [GraphqlController],
  providers: [TasksResolver, SeesUser],
})
class AppModule {}

describe.each(platforms)('Resolvers on $name', (platform) => {
  it('share the context of their request; a decorator on several of them runs once', async () => {
    const { url } = await serve(AppModule, platform);
    expect(await call(`${url}/graphql`, { headers: { 'x-user': 'ann' } })).toEqual({
      status: 200,
      body: {
        tasks: { user: 'ann', url: '/graphql', same: true, platform: true },
        more: { user: 'ann' },
        plain: { seen: 'ann' },
      },
    });
    expect(resolved).toBe(1);
  });

  it('do not run in the context of another request', async () => {
    const { url } = await serve(AppModule, platform);
    const ask = (user: string) => call(`${url}/foreign`, { headers: { 'x-user': user } });
    expect((await ask('eve')).status).toBe(200);
    expect(await ask('ann')).toMatchObject({
      status: 409,
      body: { message: 'CORE_FOREIGN_CONTEXT' },
    });
  });

  it('are guarded by what the decorators found', async () => {
    const { url } = await serve(AppModule, platform);
    expect((await call(`${url}/graphql`, { headers: { 'x-user': 'eve' } })).status).toBe(403);
  });
});
