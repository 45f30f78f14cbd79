import {
  exportPages,
  InvalidQueryConfigError,
  InvalidQueryError,
  type ParsedQuery,
  type QueryProblem,
} from '@fledge/query';
import { Paginate, type Paginator, Qs, QueryModule, QueryPipe } from '@fledge/query/nest';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import {
  type ArgumentsHost,
  type CanActivate,
  Catch,
  Controller,
  type ExceptionFilter,
  Get,
  HttpException,
  Logger,
  Param,
  Post,
  Body,
  Query,
  UseGuards,
} from '@nestjs/common';
import { AbstractHttpAdapter, HttpAdapterHost } from '@nestjs/core';
import { type Running, listen, servers } from './support/servers.js';
import { decorate } from './support/decorate.js';

const TASKS = { filterable: ['status', 'priority'], sortable: ['title'] } as const;
const BAD_VALUE: QueryProblem = {
  kind: 'filter',
  field: 'priority',
  operator: 'gt',
  reason: 'invalid-value',
  expected: 'whole number',
};

/** Throws as an adapter does in a handler. */
function build(): never {
  throw new InvalidQueryError([BAD_VALUE]);
}

class AskingGuard implements CanActivate {
  canActivate(): boolean {
    return build();
  }
}

@Controller()
class TasksController {
  @Get('qs')
  qs(@Qs(TASKS) query: ParsedQuery<typeof TASKS>) {
    return query;
  }

  @Get('strict')
  strict(@Qs(TASKS, { onInvalid: 'throw' }) query: ParsedQuery, @Paginate() paginate: Paginator) {
    return paginate({ data: query.filters, total: 0 });
  }

  @Get('pipe')
  pipe(@Query(new QueryPipe(TASKS, { onInvalid: 'throw' })) query: ParsedQuery<typeof TASKS>) {
    return query;
  }

  @Get('adapter')
  adapter(@Qs(TASKS) _query: ParsedQuery<typeof TASKS>) {
    build();
  }

  @Get('fetcher')
  fetcher(@Paginate(TASKS) paginate: Paginator<typeof TASKS>) {
    return paginate(() => build());
  }

  @Get('export')
  async export(@Qs(TASKS) query: ParsedQuery<typeof TASKS>) {
    await exportPages(() => ({ data: [], cursorOf: String }), query, { accept: 'text/html' });
  }

  @Get('plain')
  plain() {
    build();
  }

  @UseGuards(AskingGuard)
  @Get('guarded')
  guarded() {
    return {};
  }

  @Get('broken')
  broken(@Qs(TASKS) _query: ParsedQuery<typeof TASKS>) {
    throw new TypeError('not the query');
  }
}

/** A common filter: answers 500 for everything but an HttpException. */
@Catch()
class EverythingFilter implements ExceptionFilter {
  constructor(private readonly adapter: AbstractHttpAdapter) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const status = error instanceof HttpException ? error.getStatus() : 500;
    const body =
      error instanceof HttpException
        ? { caught: error.getResponse(), code: error.errorCode }
        : { caught: 'unknown' };
    this.adapter.reply(host.getArgByIndex(1), body, status);
  }
}

const STRICT = '?filter=secret:eq:x&filter=status:like:y&sort=title&page=0&limit=1000&q[a]=1';
const STRICT_PROBLEMS: readonly object[] = [
  { kind: 'filter', field: 'secret', reason: 'field-not-allowed' },
  { kind: 'filter', field: 'status', operator: 'like', reason: 'unknown-operator' },
  { kind: 'sort', reason: 'malformed' },
  { kind: 'page', reason: 'invalid-value' },
  { kind: 'limit', reason: 'out-of-range' },
];
const TOO_MANY = `?${Array.from({ length: 51 }, () => 'filter=status:eq:a').join('&')}`;

describe.each(servers)('$name', (server) => {
  let running: Running | undefined;
  const start = async (
    imports: Parameters<typeof listen>[1]['imports'] = [],
    main?: Parameters<typeof listen>[2],
  ) => (running = await listen(server, { imports, controllers: [TasksController] }, main));

  afterEach(async () => {
    jest.restoreAllMocks();
    await running?.close();
    running = undefined;
  });

  it.each(['/strict', '/pipe'])('lists every problem of a strict query: %s', async (path) => {
    const { get } = await start();
    expect(await get(path + STRICT)).toMatchObject({
      status: 400,
      body: {
        statusCode: 400,
        message: expect.stringContaining('Invalid query: filter "secret" field-not-allowed;'),
        error: 'Bad Request',
        errors: expect.arrayContaining(STRICT_PROBLEMS.map(expect.objectContaining)),
      },
    });
    expect((await get(`${path}?filter=status:eq:a&sort=title:asc&page=2&limit=9`)).status).toBe(
      200,
    );
  });

  it('refuses a filter that the parser took for a name', async () => {
    const { get } = await start();
    const { status, body } = await get('/strict?filter=status:eq:[a]=b');
    if (server.name !== 'Express, extended parser') {
      expect(body).toMatchObject({ data: [{ field: 'status', value: '[a]=b' }] });
      return;
    }
    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [{ kind: 'filter', reason: 'malformed' }] });
    expect((await get('/strict?filter=status:eq:%5Ba%5D%3Db')).status).toBe(200);
  });

  it('is strict on every route if the module is', async () => {
    const { get } = await start([QueryModule.forRoot({ onInvalid: 'throw' })]);
    expect((await get('/qs?limit=1000')).status).toBe(400);
    expect((await get('/fetcher?page=0')).body).toMatchObject({
      errors: [{ kind: 'page', reason: 'invalid-value' }],
    });
  });

  it('refuses more filters than maxFilters, without repeating their values', async () => {
    const { get } = await start();
    const { status, body } = await get(`/qs${TOO_MANY.replace('eq:a', 'eq:hush')}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [{ kind: 'filter', reason: 'too-many' }] });
    expect(JSON.stringify(body)).not.toContain('hush');
  });

  const badRequest = {
    statusCode: 400,
    message: 'Invalid query: filter "priority" gt invalid-value (expected: whole number).',
    error: 'Bad Request',
    errors: [BAD_VALUE],
  };

  it.each(['/adapter', '/fetcher'])(
    'answers 400 for the error of an adapter, without the module: %s',
    async (path) => {
      const { get } = await start();
      expect(await get(path)).toMatchObject({ status: 400, body: badRequest });
    },
  );

  it.each(['/plain', '/guarded'])(
    'answers 400 outside of @Qs() and without the module: %s',
    async (path) => {
      const { get } = await start();
      expect(await get(path)).toMatchObject({
        status: 400,
        body: { statusCode: 400, message: badRequest.message },
      });
    },
  );

  it('answers 400 for the error of an adapter in a guard, which runs before interceptors', async () => {
    const { get } = await start([QueryModule.forRoot()]);
    expect(await get('/guarded')).toMatchObject({
      status: 400,
      body: { statusCode: 400, message: badRequest.message },
    });
  });

  it.each(['/adapter', '/fetcher', '/plain'])(
    'answers 400 for the error of an adapter, with the module: %s',
    async (path) => {
      const { get } = await start([QueryModule.forRoot()]);
      expect(await get(path)).toMatchObject({ status: 400, body: badRequest });
    },
  );

  it.each(['/adapter', '/fetcher', '/strict?page=0', `/qs${TOO_MANY}`])(
    'passes a 400 to a filter that catches everything: %s',
    async (path) => {
      const { get } = await start([], (app) =>
        app.useGlobalFilters(new EverythingFilter(app.get(HttpAdapterHost).httpAdapter)),
      );
      expect(await get(path)).toMatchObject({
        status: 400,
        body: {
          caught: { statusCode: 400, errors: [{ kind: expect.any(String) }] },
          code: 'QUERY_INVALID',
        },
      });
    },
  );

  it('passes a 406 of an export to a filter that catches everything', async () => {
    const { get } = await start([], (app) =>
      app.useGlobalFilters(new EverythingFilter(app.get(HttpAdapterHost).httpAdapter)),
    );
    expect(await get('/export')).toMatchObject({
      status: 406,
      body: {
        caught: {
          statusCode: 406,
          message:
            'The Accept header allows none of the formats of this export. ' +
            'Send Accept: application/x-ndjson or text/csv.',
          error: 'Not Acceptable',
        },
        code: 'QUERY_UNACCEPTABLE_EXPORT',
      },
    });
  });

  it('does not change other errors', async () => {
    const { get } = await start([QueryModule.forRoot()]);
    expect((await get('/broken')).status).toBe(500);
  });

  it('calls onReject of the route, else of the module, once', async () => {
    const seen: QueryProblem[] = [];
    const { get } = await start([
      QueryModule.forRootAsync({ useFactory: () => ({ onReject: (each) => seen.push(each) }) }),
    ]);
    await get('/qs?filter=secret:eq:x');
    expect(seen).toEqual([STRICT_PROBLEMS[0]]);
    seen.length = 0;
    await get('/strict?page=0');
    expect(seen).toEqual([expect.objectContaining({ kind: 'page' })]);
  });

  it('logs rejected items at debug level, one line per query, without values', async () => {
    const debug = jest.spyOn(Logger.prototype, 'debug').mockImplementation(() => undefined);
    jest.spyOn(Logger, 'isLevelEnabled').mockReturnValue(true);
    const { get } = await start([QueryModule.forRoot()]);
    await get('/qs?filter=status:eq:a');
    expect(debug).not.toHaveBeenCalled();
    await get(`/qs?${Array.from({ length: 12 }, () => 'filter=a%0Ab:eq:hush').join('&')}`);
    await get('/qs?page=0');
    expect(debug.mock.calls).toEqual([
      [expect.stringMatching(/^Problems in a query: (\{[^}]*a\\nb[^}]*\}(, )?){5}, and 7 more$/)],
      [expect.stringMatching(/^Problems in a query: \{"kind":"page"[^}]*\}$/)],
    ]);
    expect(JSON.stringify(debug.mock.calls)).not.toContain('hush');
  });

  it('logs nothing if debug is off', async () => {
    const debug = jest.spyOn(Logger.prototype, 'debug').mockImplementation(() => undefined);
    jest.spyOn(Logger, 'isLevelEnabled').mockReturnValue(false);
    const { get } = await start([QueryModule.forRoot()]);
    await get('/qs?page=0');
    expect(debug).not.toHaveBeenCalled();
  });

  it('does not boot with wrong options', async () => {
    await expect(start([QueryModule.forRoot({ maxLimit: 0 })])).rejects.toThrow(
      InvalidQueryConfigError,
    );
    await expect(
      start([QueryModule.forRootAsync({ useFactory: () => ({ limits: { maxSort: -1 } }) })]),
    ).rejects.toThrow('QueryModule.forRoot({ limits.maxSort }) is -1, but must be');
  });
});

@Controller()
class MisplacedPipesController {
  @Get('named')
  named(@Query('filter', new QueryPipe(TASKS)) query: ParsedQuery<typeof TASKS>) {
    return query;
  }

  @Get('path/:filter')
  path(@Param('filter', new QueryPipe(TASKS)) query: ParsedQuery<typeof TASKS>) {
    return query;
  }

  @Post('body')
  body(@Body('query', new QueryPipe(TASKS)) { filters }: ParsedQuery<typeof TASKS>) {
    return filters;
  }
}

describe('QueryPipe on a single parameter', () => {
  let running: Running | undefined;
  afterEach(() => running?.close());

  it('is rejected, because it would ignore the filters and return all rows', async () => {
    const errors: unknown[] = [];
    @Catch()
    class RecordingFilter extends EverythingFilter {
      override catch(error: unknown, host: ArgumentsHost): void {
        errors.push(error);
        super.catch(error, host);
      }
    }
    running = await listen(
      servers[0] as (typeof servers)[0],
      { controllers: [MisplacedPipesController] },
      (app) => app.useGlobalFilters(new RecordingFilter(app.get(HttpAdapterHost).httpAdapter)),
    );
    expect((await running.get('/named?filter=status:eq:a')).status).toBe(500);
    expect((await running.get('/path/status:eq:a')).status).toBe(500);
    expect(
      errors.map((error) => error instanceof InvalidQueryConfigError && error.message),
    ).toEqual([
      "@Query('filter', new QueryPipe()) does not receive the whole query string. " +
        'Write @Query(new QueryPipe(CONFIG)), without the name of a parameter.',
      "@Param('filter', new QueryPipe()) does not receive the whole query string. " +
        'Write @Query(new QueryPipe(CONFIG)), without the name of a parameter.',
    ]);
  });

  it('reads an object in a property of the body', async () => {
    running = await listen(servers[0] as (typeof servers)[0], {
      controllers: [MisplacedPipesController],
    });
    const answer = await fetch(`${await running.app.getUrl()}/body`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: { filter: 'status:eq:a' } }),
    });
    expect(await answer.json()).toEqual([{ field: 'status', operator: 'eq', value: 'a' }]);
  });
});

describe.each<[string, (config: never, options?: never) => unknown]>([
  ['@Qs()', (...args) => decorate(Qs(...args))],
  ['@Paginate()', (...args) => decorate(Paginate(...args))],
  ['new QueryPipe()', (...args) => new QueryPipe(...args)],
])('%s', (_name, make) => {
  it('refuses a wrong config when it is evaluated', () => {
    expect(() => make({ filterable: 'status' } as never)).toThrow(InvalidQueryConfigError);
    expect(() => make({} as never, { maxLimit: 1.5 } as never)).toThrow(InvalidQueryConfigError);
  });
});
