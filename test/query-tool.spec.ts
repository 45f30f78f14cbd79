// One declaration, @Qs(config), is a list's parser, its OpenAPI parameters and the input of its MCP tool:
// query and mcp know nothing of each other, so that they meet is seen here.
import { Ctx, type RequestContext } from '@fledge/core';
import { McpModule, McpTool } from '@fledge/mcp';
import { type CursorResponse, InvalidQueryError, paginate, type ParsedQuery } from '@fledge/query';
import { memoryAdapter } from '@fledge/query/memory';
import {
  Paginate,
  Paginated,
  type Paginator,
  Qs,
  QueryModule,
  QueryPipe,
} from '@fledge/query/nest';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import {
  Body,
  Controller,
  Get,
  type INestApplication,
  Param,
  Query,
  QueryMethod,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ApiProperty } from '@nestjs/swagger';
import { closeNow } from './support/close-now.js';
import { platforms } from './support/platforms.js';

class Task {
  @ApiProperty({ type: 'integer' }) id!: number;
}

class LongTask extends Task {
  @ApiProperty() title!: string;
  @ApiProperty() secret!: string;
}

const SHORT = {
  columns: { id: 'integer' },
  selectable: ['id', 'title'],
  primaryKey: 'id',
} as const;

const IDS = {
  columns: { id: { type: 'integer', nullable: false }, rank: 'integer' },
  defaultSort: 'rank:desc',
  primaryKey: 'id',
} as const;
const ROWS = Array.from({ length: 23 }, (_, i) => ({
  id: i + 1,
  rank: i % 5 === 0 ? null : i % 3,
}));

const TASKS = {
  filterable: ['status', 'priority'],
  sortable: ['createdAt'],
  searchable: ['title'],
} as const;

@Controller('tasks')
class TasksController {
  @Get()
  @McpTool({ name: 'list_tasks', description: 'Lists tasks' })
  list(@Qs(TASKS) query: ParsedQuery<typeof TASKS>, @Paginate() paginate: Paginator) {
    return { ...paginate({ data: [], total: 300 }), query };
  }

  @Get('by/:owner')
  @McpTool({ name: 'list_owned', description: 'Lists the tasks of an owner' })
  owned(
    @Param('owner') owner: string,
    @Query(new QueryPipe(TASKS)) { filters, sort }: ParsedQuery<typeof TASKS>,
    @Query('archived') archived: string,
  ) {
    return { owner, filters, sort, archived };
  }

  @Get('pages')
  @Paginated(Task)
  @McpTool({ name: 'page_tasks', description: 'Pages through tasks' })
  pages(@Paginate() paginate: Paginator) {
    return paginate(({ pagination }) => ({ data: [{ id: pagination.offset }], total: 300 }));
  }

  @Get('groups')
  @McpTool({ name: 'group_tasks', description: 'Selects tasks by groups of conditions' })
  groups(@Qs(TASKS, { where: true }) { where }: ParsedQuery<typeof TASKS>) {
    return { where };
  }

  @Get('short')
  @Paginated(LongTask)
  @McpTool({ name: 'short_tasks', description: 'Lists some members of tasks' })
  short(@Qs(SHORT) query: ParsedQuery<typeof SHORT>) {
    const rows = [{ id: 1, title: 'Read', secret: 'x' }];
    return paginate({ ...memoryAdapter.build(query, SHORT).apply(rows), parsed: query });
  }

  @Get('cursors')
  @Paginated(Task, { cursors: true })
  @McpTool({ name: 'walk_tasks', description: 'Walks through tasks' })
  cursors(
    @Qs(IDS, { cursors: true, onInvalid: 'throw' }) query: ParsedQuery<typeof IDS>,
    @Paginate() paginate: Paginator,
  ) {
    const page = memoryAdapter.buildKeyset(query, IDS, paginate.cursor);
    return paginate({ data: page.apply(ROWS), cursorOf: page.cursorOf });
  }

  @Get('refused')
  @McpTool({ name: 'refused', description: 'Meets a value that fits no column' })
  refused(@Qs(TASKS) _query: ParsedQuery<typeof TASKS>) {
    throw new InvalidQueryError([{ kind: 'filter', field: 'priority', reason: 'invalid-value' }]);
  }

  @QueryMethod('search')
  @McpTool({ name: 'search_tasks', description: 'Lists tasks by HTTP QUERY' })
  search(@Qs(TASKS) query: ParsedQuery<typeof TASKS>) {
    return query;
  }

  @QueryMethod('by-status/:owner')
  @McpTool({
    name: 'tasks_of_status',
    description: 'Reads a body and the URL of HTTP QUERY',
    inputSchema: {
      type: 'object',
      properties: { owner: {}, statuses: { type: 'array' }, archived: { type: 'string' } },
    },
  })
  ofStatus(
    @Param('owner') owner: string,
    @Body('statuses') statuses: string[],
    @Query('archived') archived: string,
  ) {
    return { owner, statuses, archived };
  }

  @Get('context')
  @McpTool({ name: 'by_context', description: 'Reads its query from the context' })
  context(@Ctx() ctx: RequestContext, @Qs(TASKS) query: ParsedQuery<typeof TASKS>) {
    return { same: JSON.stringify(ctx.qs(TASKS)) === JSON.stringify(query), query };
  }
}

describe.each(platforms)('a list as a tool on $name', ({ adapter }) => {
  let app: INestApplication;
  let client: Client;

  beforeAll(async () => {
    app = await NestFactory.create(
      {
        module: class AppModule {},
        imports: [
          QueryModule.forRoot({ maxLimit: 250, cursors: { secret: 'of this spec, long enough' } }),
          McpModule.forRoot({ name: 'spec', outputSchemas: 'declared' }),
        ],
        controllers: [TasksController],
      },
      adapter(),
      { logger: false, abortOnError: false },
    );
    await app.listen(0, '127.0.0.1');
    client = new Client({ name: 'spec', version: '1.0.0' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${await app.getUrl()}/_mcp/messages`)),
    );
  });
  afterAll(async () => {
    await client.close();
    await closeNow(app);
  });

  const inputOf = async (name: string) => {
    const { tools } = await client.listTools();
    return tools.find((tool) => tool.name === name)?.inputSchema;
  };
  const call = async (name: string, args: object) => {
    const result = (await client.callTool({ name, arguments: { ...args } })) as CallToolResult;
    const [block] = result.content;
    const text = block?.type === 'text' ? block.text : '';
    return { isError: result.isError === true, text };
  };
  const answerOf = async (name: string, args: object): Promise<unknown> =>
    JSON.parse((await call(name, args)).text);

  it('says what may be asked for', async () => {
    const schema = await inputOf('list_tasks');
    expect(schema).toEqual({
      type: 'object',
      properties: {
        filter: {
          type: 'array',
          items: {
            type: 'string',
            pattern: expect.stringContaining('^(?:status|priority):(?:eq|'),
          },
          maxItems: 50,
          description: expect.stringContaining('Fields: status, priority. Operators: eq, neq,'),
        },
        sort: {
          type: 'array',
          items: { type: 'string', enum: ['createdAt:asc', 'createdAt:desc'] },
          maxItems: 10,
          description: expect.any(String),
        },
        page: { type: 'integer', minimum: 1, default: 1, description: expect.any(String) },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 250,
          default: 20,
          description: expect.any(String),
        },
        q: { type: 'string', maxLength: 200, description: expect.any(String) },
      },
      additionalProperties: false,
    });
    expect(await inputOf('list_owned')).toMatchObject({
      properties: { owner: {}, archived: {}, filter: { type: 'array' }, limit: { maximum: 100 } },
      required: ['owner'],
    });
    expect(Object.keys((await inputOf('page_tasks'))?.properties ?? {})).toEqual(['page', 'limit']);
  });

  it('calls lists by HTTP QUERY, which only reads', async () => {
    const { tools } = await client.listTools();
    const hints = { readOnlyHint: true, idempotentHint: true };
    for (const name of ['search_tasks', 'tasks_of_status']) {
      expect(tools.find((tool) => tool.name === name)?.annotations).toMatchObject(hints);
    }
    expect(await inputOf('search_tasks')).toEqual(await inputOf('list_tasks'));
    const query = { filter: ['status:eq:a', 'priority:gt:1'], sort: ['createdAt:desc'], page: 2 };
    expect(await answerOf('search_tasks', query)).toEqual({
      filters: [
        { field: 'status', operator: 'eq', value: 'a' },
        { field: 'priority', operator: 'gt', value: '1' },
      ],
      sort: [{ field: 'createdAt', direction: 'desc' }],
      pagination: { page: 2, limit: 20, offset: 20 },
      search: '',
    });
    expect(await answerOf('search_tasks', {})).toMatchObject({ filters: [], search: '' });
    const args = { owner: 'ann', statuses: ['a', 'b'], archived: 'yes' };
    expect(await answerOf('tasks_of_status', args)).toEqual(args);
  });

  it('publishes the page as its output, and sends it', async () => {
    const { tools } = await client.listTools();
    const { outputSchema } = tools.find(({ name }) => name === 'page_tasks') ?? {};
    expect(outputSchema).toMatchObject({
      type: 'object',
      properties: {
        data: { type: 'array', items: { $ref: '#/$defs/Task' } },
        meta: { $ref: '#/$defs/PageMeta' },
      },
      $defs: { PageMeta: { properties: { hasNext: { type: 'boolean' } } } },
    });
    // The client compares structured content with the schema.
    const { structuredContent } = await client.callTool({
      name: 'page_tasks',
      arguments: { page: 3 },
    });
    expect(structuredContent).toMatchObject({
      data: [{ id: 40 }],
      meta: { page: 3, total: 300, hasNext: true },
    });
    expect(tools.find(({ name }) => name === 'list_tasks')).not.toHaveProperty('outputSchema');
  });

  it('offers fields, and a short answer fits the output that it publishes', async () => {
    const { properties = {} } = (await inputOf('short_tasks')) ?? {};
    expect(properties['fields']).toMatchObject({
      type: 'array',
      items: { type: 'string', enum: ['id', 'title'] },
      description: expect.stringContaining('List only the fields that you need'),
    });
    const call = (fields: string[]) =>
      client.callTool({ name: 'short_tasks', arguments: { fields, limit: 1 } });
    const { tools } = await client.listTools();
    const { outputSchema } = tools.find(({ name }) => name === 'short_tasks') ?? {};
    expect(outputSchema).not.toHaveProperty('$defs.PartialLongTask.required');
    const { structuredContent } = await call(['title']);
    expect(structuredContent).toMatchObject({ data: [{ id: 1, title: 'Read' }] });
    const { structuredContent: short } = await call([]);
    expect(short).toMatchObject({ data: [{ id: 1, title: 'Read', secret: 'x' }] });
    expect((await call(['secret'])).isError).toBe(true);
  });

  it('takes groups of conditions as a list of texts', async () => {
    const { properties = {} } = (await inputOf('group_tasks')) ?? {};
    expect(properties['where']).toEqual({
      type: 'array',
      items: { type: 'string' },
      maxItems: 50,
      description: expect.stringContaining('Example: or(status:eq:a,not(priority:in:"b,c"))'),
    });
    const where = ['or(status:eq:open,not(priority:in:"1,2"))'];
    expect(await answerOf('group_tasks', { where })).toEqual({
      where: {
        or: [
          { field: 'status', operator: 'eq', value: 'open' },
          { not: { field: 'priority', operator: 'in', value: '1,2' } },
        ],
      },
    });
    expect(await call('group_tasks', { where: ['or(status:eq:open'] })).toMatchObject({
      isError: true,
      text: expect.stringContaining('where malformed at position 17'),
    });
  });

  it('passes what a model asks for', async () => {
    const filter = ['status:eq:open', 'priority:between:1,3', 'status:contains:a & b=c?%20#é'];
    expect(
      await answerOf('list_tasks', {
        filter,
        sort: ['createdAt:desc'],
        page: 2,
        limit: 120,
        q: 'x y',
      }),
    ).toEqual({
      data: [],
      meta: { page: 2, limit: 120, total: 300, totalPages: 3, hasNext: true, hasPrev: true },
      query: {
        filters: [
          { field: 'status', operator: 'eq', value: 'open' },
          { field: 'priority', operator: 'between', value: '1,3' },
          { field: 'status', operator: 'contains', value: 'a & b=c?%20#é' },
        ],
        sort: [{ field: 'createdAt', direction: 'desc' }],
        pagination: { page: 2, limit: 120, offset: 120 },
        search: 'x y',
      },
    });
    expect(await answerOf('list_owned', { owner: 'ann', filter: ['status:eq:open'] })).toEqual({
      owner: 'ann',
      filters: [{ field: 'status', operator: 'eq', value: 'open' }],
      sort: [],
    });
    expect(await answerOf('page_tasks', { page: 3 })).toMatchObject({ data: [{ id: 40 }] });
    expect(await answerOf('by_context', { filter: ['status:eq:open'] })).toMatchObject({
      same: true,
      query: { filters: [{ field: 'status' }] },
    });
  });

  it('lets a model walk through each page by the cursor of the page before', async () => {
    const { tools } = await client.listTools();
    const tool = tools.find(({ name }) => name === 'walk_tasks');
    expect(Object.keys(tool?.inputSchema.properties ?? {})).toEqual([
      'filter',
      'sort',
      'after',
      'before',
      'limit',
    ]);
    expect(tool?.inputSchema.properties).toMatchObject({
      after: { type: 'string', description: expect.stringContaining('meta.nextCursor') },
      before: { type: 'string', description: expect.stringContaining('meta.prevCursor') },
      sort: { default: ['rank:desc'] },
    });
    expect(JSON.stringify(tool?.outputSchema)).toContain('nextCursor');
    const all = (await answerOf('walk_tasks', { limit: 100 })) as CursorResponse<object>;
    expect(all.data).toHaveLength(ROWS.length);
    const walked: object[] = [];
    let pages = 0;
    let args: { limit: number; after?: string } = { limit: 4 };
    for (;;) {
      const { data, meta } = (await answerOf('walk_tasks', args)) as CursorResponse<object>;
      pages++;
      walked.push(...data);
      expect(meta.hasNext).toBe(meta.nextCursor !== null);
      if (meta.nextCursor === null) break;
      args = { limit: 4, after: meta.nextCursor };
    }
    expect([pages, walked]).toEqual([6, all.data]);

    for (const after of [`${args.after}x`, 'x', 'x'.repeat(100_000)]) {
      expect(await call('walk_tasks', { after })).toEqual({
        isError: true,
        text: expect.stringContaining('"kind":"cursor"'),
      });
    }
    expect(await call('walk_tasks', { page: 2 })).toMatchObject({ isError: true });
    expect(await call('walk_tasks', { after: ['x', 'y'] })).toMatchObject({ isError: true });
  });

  it.each([
    [{ filter: ['secret:eq:x'] }, /filter/],
    [{ filter: ['status:like:x'] }, /filter/],
    [{ sort: ['title:asc'] }, /sort/],
    [{ limit: 251 }, /limit/],
    [{ verbose: true }, /verbose/],
  ])('tells a model what is wrong with %j', async (args, place) => {
    expect(await call('list_tasks', args)).toEqual({
      isError: true,
      text: expect.stringMatching(place),
    });
  });

  it('gives it the 400 of an adapter', async () => {
    const { isError, text } = await call('refused', {});
    expect(isError).toBe(true);
    expect(JSON.parse(text)).toMatchObject({ statusCode: 400, errors: [{ field: 'priority' }] });
  });
});
