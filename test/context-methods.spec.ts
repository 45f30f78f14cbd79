import { InvalidQueryError, type QueryProblem } from '@fledge/query';
import { QueryModule } from '@fledge/query/nest';
import { afterAll, describe, expect, it } from '@jest/globals';
import { type CanActivate, Controller, Get, Injectable, Module, UseGuards } from '@nestjs/common';
import { ContextModule, Ctx, RequestContext } from '@fledge/core';
import { call, closeAll, platforms, serve } from './support/platforms.js';

const TASKS = { filterable: ['status'], sortable: ['title'] } as const;
const STRICT = { onInvalid: 'throw' } as const;

@Injectable()
class LimitGuard implements CanActivate {
  constructor(private readonly ctx: RequestContext) {}

  canActivate(): boolean {
    return this.ctx.qs(TASKS).pagination.page < 100;
  }
}

@Controller()
class TasksController {
  @UseGuards(LimitGuard)
  @Get('qs')
  qs(@Ctx() ctx: RequestContext) {
    return { query: ctx.qs(TASKS), same: ctx.qs(TASKS) === ctx.qs(TASKS) };
  }

  @Get('open')
  open(@Ctx() ctx: RequestContext) {
    return ctx.qs();
  }

  @Get('strict')
  strict(@Ctx() ctx: RequestContext) {
    return ctx.qs(TASKS, STRICT);
  }

  @Get('result')
  result(@Ctx() ctx: RequestContext) {
    const parsed = ctx.qs(TASKS, { maxLimit: 10 });
    return ctx.paginate({ data: ['a'], total: '57', parsed });
  }

  @Get('fetched')
  fetched(@Ctx() ctx: RequestContext) {
    return ctx.paginate(
      ({ filters, pagination }) => Promise.resolve({ data: [...filters, pagination], total: 3 }),
      TASKS,
    );
  }

  @Get('refused')
  refused(@Ctx() ctx: RequestContext) {
    return ctx.paginate(() => {
      throw new InvalidQueryError([{ kind: 'filter', reason: 'invalid-value' }]);
    }, TASKS);
  }
}

@Module({ imports: [ContextModule], controllers: [TasksController] })
class BareModule {}

const rejected: QueryProblem[] = [];

@Module({
  imports: [
    QueryModule.forRootAsync({
      useFactory: () => Promise.resolve({ maxLimit: 5, onReject: (each) => rejected.push(each) }),
    }),
    ContextModule,
  ],
  controllers: [TasksController],
})
class ConfiguredModule {}

describe.each(platforms)('the query methods of a request context on $name', (platform) => {
  afterAll(closeAll);

  it('is parsed by a config, once', async () => {
    const { url } = await serve(BareModule, platform);
    expect(await call(`${url}/qs?filter=status:eq:a&filter=x:eq:1&limit=500&page=2`)).toEqual({
      status: 200,
      body: {
        query: {
          filters: [{ field: 'status', operator: 'eq', value: 'a' }],
          sort: [],
          pagination: { page: 2, limit: 100, offset: 100 },
          search: '',
        },
        same: true,
      },
    });
    expect(await call(`${url}/qs?page=100`)).toMatchObject({ status: 403 });
    expect(await call(`${url}/open?filter=x:eq:1`)).toMatchObject({
      body: { filters: [{ field: 'x' }] },
    });
  });

  it('is a 400 where it cannot be answered, without a filter', async () => {
    const { url } = await serve(BareModule, platform);
    for (const path of ['strict?page=0', 'refused', `qs?${'filter=status:eq:a&'.repeat(51)}`]) {
      expect(await call(`${url}/${path}`)).toMatchObject({
        status: 400,
        body: { statusCode: 400, error: 'Bad Request', errors: [{ kind: expect.any(String) }] },
      });
    }
    expect(await call(`${url}/strict?page=2`)).toMatchObject({ status: 200 });
  });

  it('makes a paginated answer', async () => {
    const { url } = await serve(BareModule, platform);
    expect(await call(`${url}/result?page=2&limit=50`)).toEqual({
      status: 200,
      body: {
        data: ['a'],
        meta: { page: 2, limit: 10, total: 57, totalPages: 6, hasNext: true, hasPrev: true },
      },
    });
    expect(await call(`${url}/fetched?filter=status:eq:a&filter=x:eq:1&limit=2`)).toEqual({
      status: 200,
      body: {
        data: [
          { field: 'status', operator: 'eq', value: 'a' },
          { page: 1, limit: 2, offset: 0 },
        ],
        meta: { page: 1, limit: 2, total: 3, totalPages: 2, hasNext: true, hasPrev: false },
      },
    });
  });

  it('goes by the options of QueryModule', async () => {
    const { url } = await serve(ConfiguredModule, platform);
    expect(await call(`${url}/result?limit=50`)).toMatchObject({ body: { meta: { limit: 10 } } });
    expect(await call(`${url}/fetched?limit=50`)).toMatchObject({ body: { meta: { limit: 5 } } });
    rejected.length = 0;
    // The guard and the handler ask for the same.
    await call(`${url}/qs?filter=x:eq:1`);
    expect(rejected).toEqual([{ kind: 'filter', field: 'x', reason: 'field-not-allowed' }]);
  });
});
