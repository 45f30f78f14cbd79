// The order of a config: where it applies, where it is documented, and that links and query strings leave it out.
import {
  buildQueryString,
  compileQuery,
  pageLinks,
  paginate,
  type ParsedQuery,
  parseQuery,
} from '@fledge/query';
import { memoryAdapter } from '@fledge/query/memory';
import { Paginate, type Paginator, Qs, QueryModule } from '@fledge/query/nest';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { listen, type Running, servers } from './support/servers.js';

const TASKS = {
  columns: { id: { type: 'integer', nullable: false }, due: 'date', rank: 'integer' },
  sortable: { due: 'date', rank: 'integer' },
  defaultSort: ['due:desc', 'rank:asc'],
  primaryKey: 'id',
} as const;
type TaskQuery = ParsedQuery<typeof TASKS>;

const rows = [
  { id: 1, due: null, rank: 1 },
  { id: 2, due: '2026-01-31', rank: null },
  { id: 3, due: '2026-01-31', rank: 2 },
  { id: 4, due: '2026-02-01', rank: 9 },
  { id: 5, due: null, rank: 0 },
];
const ORDER = [
  { field: 'due', direction: 'desc' },
  { field: 'rank', direction: 'asc' },
];

describe('defaultSort', () => {
  it.each([{}, { sort: 'secret:asc' }, { sort: 'due' }, { sort: [] }, { sort: ['id:asc', ''] }])(
    'is the order of a query without a valid sort: %j',
    (query) => expect(parseQuery(query, TASKS).sort).toEqual(ORDER),
  );

  it('gives way to a sort of the query', () => {
    expect(parseQuery({ sort: 'rank:desc' }, TASKS).sort).toEqual([
      { field: 'rank', direction: 'desc' },
    ]);
  });

  it('leaves the sort that is refused in strict mode refused', () => {
    const parse = compileQuery(TASKS, { onInvalid: 'throw' });
    expect(() => parse({ sort: 'secret:asc' })).toThrow('sort "secret" field-not-allowed');
    expect(parse({}).sort).toEqual(ORDER);
  });

  it('is not written into query strings and links, unless the client gave it', () => {
    const parsed = parseQuery({ limit: '2' }, TASKS);
    expect(buildQueryString(parsed)).toBe('page=1&limit=2');
    expect(parseQuery({ limit: '2' }, TASKS)).toEqual(parsed);
    const { meta } = paginate({ data: [], total: 5, parsed });
    expect(pageLinks('/tasks?x=1', { ...parsed }, meta).next).toBe('/tasks?x=1&page=2&limit=2');
    const given = parseQuery({ sort: ['due:desc', 'rank:asc'] }, TASKS);
    expect(buildQueryString(given)).toContain('sort=due%3Adesc&sort=rank%3Aasc');
  });

  it('is a new list for each query, so that a handler may change it', () => {
    parseQuery({}, TASKS).sort.push({ field: 'rank', direction: 'desc' });
    expect(parseQuery({}, TASKS).sort).toEqual(ORDER);
  });

  it('stops the boot if a field is not sortable', () => {
    expect(() => {
      class Broken {
        @Get() list(@Qs({ ...TASKS, defaultSort: 'id:asc' }) query: TaskQuery) {
          return query;
        }
      }
      return Broken;
    }).toThrow('`defaultSort` of a query config contains "id", which is not sortable.');
  });
});

@Controller()
class TasksController {
  @Get('tasks')
  list(@Qs(TASKS, { cursors: true }) query: TaskQuery, @Paginate() paginate: Paginator) {
    const page = memoryAdapter.buildKeyset(query, TASKS, paginate.cursor);
    return paginate({ data: page.apply(rows), cursorOf: page.cursorOf });
  }
}

describe.each(servers)('defaultSort on $name', (server) => {
  let running: Running;
  beforeAll(async () => {
    const imports = [QueryModule.forRoot({ cursors: { secret: 'of this spec, long enough' } })];
    running = await listen(server, { imports, controllers: [TasksController] });
  });
  afterAll(() => running.close());

  it('orders the pages by cursor, and is signed into their cursors', async () => {
    const ids: number[] = [];
    let after = '';
    do {
      const { body } = await running.get(`/tasks?limit=2&after=${after}`);
      const page = body as { data: { id: number }[]; meta: { nextCursor: string | null } };
      ids.push(...page.data.map(({ id }) => id));
      after = page.meta.nextCursor ?? '';
      if (ids.length === 2) {
        const other = await running.get(`/tasks?sort=rank:asc&after=${after}`);
        expect(other).toMatchObject({ status: 400, body: { errors: [{ kind: 'cursor' }] } });
        const same = await running.get(`/tasks?sort=due:desc&sort=rank:asc&after=${after}`);
        expect(same.status).toBe(200);
      }
    } while (after !== '');
    expect(ids).toEqual([4, 3, 2, 5, 1]);
  });

  it('is documented', () => {
    const document = SwaggerModule.createDocument(running.app, new DocumentBuilder().build());
    expect(document.paths['/tasks']?.get?.parameters).toContainEqual(
      expect.objectContaining({
        name: 'sort',
        schema: expect.objectContaining({ default: ['due:desc', 'rank:asc'] }),
      }),
    );
  });
});
