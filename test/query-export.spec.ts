// A list is exported as NDJSON or CSV, over HTTP, page by page of a list by cursors.
import { once } from 'node:events';
import { request } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { exportPages, type ParsedQuery } from '@fledge/query';
import { memoryAdapter } from '@fledge/query/memory';
import { Cursors, Qs, QueryModule } from '@fledge/query/nest';
import { Tenancy, TenantModule } from '@fledge/tenant';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, Headers, type INestApplication, StreamableFile } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { closeNow } from './support/close-now.js';
import { platforms } from './support/platforms.js';
import { until } from './support/until.js';

const TASKS = {
  columns: {
    id: { type: 'integer', nullable: false },
    tenant: { type: 'string', nullable: false },
    title: 'string',
  },
  selectable: ['id', 'title'],
  primaryKey: 'id',
} as const;
type TaskQuery = ParsedQuery<typeof TASKS>;
const ON = { cursors: true, onInvalid: 'throw' } as const;

interface Row {
  readonly id: number;
  readonly tenant: string;
  readonly title: string | null;
}

const ROWS: readonly Row[] = Array.from({ length: 25 }, (_, i) => ({
  id: i + 1,
  tenant: i % 2 === 0 ? 'acme' : 'globex',
  title: i % 5 === 0 ? null : `Task ${i}`,
}));
const LARGE = 'x'.repeat(100_000);

/** What the tests change, and see. */
const state = {
  rows: [] as Row[],
  tenants: [] as (string | undefined)[],
  signals: [] as AbortSignal[],
  afterPage: (_fetched: number): unknown => undefined,
};

@Controller()
class TasksController {
  constructor(
    private readonly cursors: Cursors,
    private readonly tenancy: Tenancy,
  ) {}

  @Get('export')
  async export(@Qs(TASKS, ON) query: TaskQuery, @Headers('accept') accept: string) {
    const options = { accept, pageSize: 3, maxRows: 20, columns: ['id', 'title'] };
    const { stream, type } = await exportPages((page) => this.pageOf(page), query, options);
    return new StreamableFile(stream, { type, disposition: 'attachment; filename="tasks"' });
  }

  @Get('endless')
  async endless(@Qs(TASKS, ON) query: TaskQuery) {
    const { stream, type } = await exportPages(
      async (page, signal) => {
        state.signals.push(signal);
        const found = this.pageOf(page);
        if (page.after !== undefined) await once(signal, 'abort');
        return found;
      },
      query,
      { pageSize: 3 },
    );
    return new StreamableFile(stream, { type });
  }

  @Get('slow')
  async slow(@Qs(TASKS, ON) query: TaskQuery) {
    const fetchPage = async (page: TaskQuery) => {
      await turn();
      const { data, cursorOf } = this.pageOf(page);
      return { data, cursorOf, project: ({ id }: Row) => ({ id, text: LARGE }) };
    };
    const { stream, type } = await exportPages(fetchPage, query, { pageSize: 2 });
    return new StreamableFile(stream, { type });
  }

  private pageOf(query: TaskQuery) {
    const tenant = this.tenancy.currentOrNull()?.tenantId;
    state.tenants.push(tenant);
    const page = memoryAdapter.buildKeyset(query, TASKS, this.cursors.for(query));
    const data = page.apply(state.rows.filter((row) => row.tenant === tenant));
    state.afterPage(state.tenants.length);
    return { data, cursorOf: page.cursorOf, project: page.project };
  }
}

describe.each(platforms)('an export on $name', ({ adapter }) => {
  let app: INestApplication;
  let url: string;
  beforeAll(async () => {
    app = await NestFactory.create<INestApplication>(
      {
        module: class AppModule {},
        imports: [
          TenantModule.forRoot({ strategy: 'header' }),
          QueryModule.forRoot({ cursors: { secret: 'of this spec, long enough' } }),
        ],
        controllers: [TasksController],
      },
      adapter(),
      { logger: false, abortOnError: false },
    );
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
  });
  afterAll(() => closeNow(app));

  const get = (path: string, accept?: string) => {
    Object.assign(state, { rows: [...ROWS], tenants: [], signals: [], afterPage: () => undefined });
    const headers = { 'x-tenant-id': 'acme', ...(accept !== undefined && { accept }) };
    return fetch(`${url}/${path}`, { headers });
  };
  const own = ROWS.filter(({ tenant }) => tenant === 'acme');

  it('writes each row of the tenant once, as NDJSON', async () => {
    const response = await get('export?sort=title:desc');
    expect(response.headers.get('content-type')).toBe('application/x-ndjson');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="tasks"');
    const rows = (await response.text()).split('\n');
    expect(rows.pop()).toBe('');
    const { comparator } = memoryAdapter.build(
      { filters: [], sort: [{ field: 'title', direction: 'desc' }], search: '', pagination: PAGE },
      TASKS,
    );
    expect(rows.map((row) => JSON.parse(row) as object)).toEqual(own.toSorted(comparator));
    expect(state.tenants).toEqual(Array(5).fill('acme'));
  });

  it('writes CSV if the client prefers it', async () => {
    const response = await get('export?filter=id:lte:3', 'text/csv, application/x-ndjson;q=0.5');
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(await response.text()).toBe('id,title\r\n1,\r\n3,Task 2\r\n');
  });

  it('leaves out the members that the query does not ask for', async () => {
    const text = await (await get('export?fields=id&sort=title:asc&filter=id:lte:3')).text();
    expect(text).toBe('{"id":3}\n{"id":1}\n');
  });

  it.each([
    ['application/json', 406],
    ['text/csv;q=0', 406],
    ['text/html, */*;q=0.1', 200],
    ['text/*', 200],
  ])('answers %s with %d', async (accept, status) => {
    const response = await get('export', accept);
    expect(response.status).toBe(status);
    const text = await response.text();
    if (status === 406) expect(text).toContain('Send Accept: application/x-ndjson or text/csv.');
  });

  it.each(['filter=id:gt:x', 'after=x', 'status=open&filters=1', 'before=x'])(
    'answers 400 before it begins: %s',
    async (query) => {
      const response = await get(`export?${query}`);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ statusCode: 400 });
    },
  );

  it('breaks off at the most rows, so that the file does not look complete', async () => {
    const pending = get('export');
    state.rows.push(...own.map((row) => ({ ...row, id: row.id + 100 })));
    const response = await pending;
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });

  it('writes rows once that are inserted and removed meanwhile', async () => {
    const pending = get('export');
    state.afterPage = (fetched) => {
      if (fetched !== 2) return;
      // One before the place of the export, one behind it; one is removed on either side.
      state.rows.push({ id: 0, tenant: 'acme', title: 'early' });
      state.rows.push({ id: 14, tenant: 'acme', title: 'late' });
      state.rows = state.rows.filter(({ id }) => id !== 1 && id !== 19);
    };
    const rows = (await (await pending).text()).trimEnd().split('\n');
    const ids = rows.map((row) => (JSON.parse(row) as Row).id);
    expect(ids).toEqual([1, 3, 5, 7, 9, 11, 13, 14, 15, 17, 21, 23, 25]);
  });

  it('stops when the client disconnects', async () => {
    const response = await get('endless');
    await response.body?.cancel();
    await until(() => state.signals.length === 2 && state.signals.every(({ aborted }) => aborted));
    expect(state.tenants).toHaveLength(2);
  });

  it('keeps the tenant, and fetches no faster than the client reads', async () => {
    Object.assign(state, { rows: [], tenants: [], afterPage: () => undefined });
    state.rows.push(...Array.from({ length: 200 }, (_, i) => ({ ...own[0]!, id: i + 1 })));
    const [response] = (await once(
      request(`${url}/slow`, { headers: { 'x-tenant-id': 'acme' } }).end(),
      'response',
    )) as [import('node:http').IncomingMessage];
    // The buffers of both sockets are full: no page is fetched any more.
    let fetched = -1;
    await until(async () => {
      const before = fetched;
      fetched = state.tenants.length;
      for (let i = 0; i < 200; i++) await turn();
      return fetched > 0 && before === fetched;
    });
    expect(fetched).toBeLessThan(100);
    let text = '';
    for await (const chunk of response) text += String(chunk).replaceAll(LARGE, '');
    expect(text.split('\n')).toHaveLength(201);
    expect(new Set(state.tenants)).toEqual(new Set(['acme']));
  });
});

const PAGE = { page: 1, limit: 100, offset: 0 };
