// Clients of HTTP QUERY send the query in the body. A list that reads the query string would ignore it, and answer
// with every row.
import type { ParsedQuery } from '@fledge/query';
import { InvalidQueryConfigError } from '@fledge/query';
import { Paginate, type Paginator, Qs } from '@fledge/query/nest';
import { describe, expect, it } from '@jest/globals';
import { Body, Controller, Get, Post, QueryMethod } from '@nestjs/common';
import { listen, servers } from './support/servers.js';

const TASKS = { filterable: ['status'], sortable: [] } as const;

@Controller('tasks')
class QsController {
  @QueryMethod()
  search(@Qs(TASKS) query: ParsedQuery<typeof TASKS>) {
    return query;
  }
}

@Controller('tasks')
class PaginateController {
  @QueryMethod()
  search(@Paginate(TASKS) paginate: Paginator<typeof TASKS>) {
    return paginate.parsed;
  }
}

@Controller('tasks')
class ReadableController {
  @Get()
  list(@Qs(TASKS) query: ParsedQuery<typeof TASKS>) {
    return query;
  }

  @Post()
  create(@Qs(TASKS) query: ParsedQuery<typeof TASKS>) {
    return query;
  }

  @QueryMethod('body')
  search(@Body() body: unknown) {
    return body;
  }
}

describe.each(servers)('on $name', (server) => {
  it.each([QsController, PaginateController])(
    'stops the startup where %p reads the query string of HTTP QUERY',
    async (controller) => {
      const start = listen(server, { controllers: [controller] });
      await expect(start).rejects.toThrow(InvalidQueryConfigError);
      await expect(start).rejects.toThrow(
        `${controller.name}.search answers HTTP QUERY, whose clients send the query in the body, but @Qs() and ` +
          '@Paginate() read the query string. Put @Get() in place of @QueryMethod(), or read the body: @Body() and ' +
          'parseQuery().',
      );
    },
  );

  it('starts with lists of other methods, and with HTTP QUERY that reads its body', async () => {
    const running = await listen(server, { controllers: [ReadableController] });
    const { status } = await running.get('/tasks?filter=status:eq:open');
    expect(status).toBe(200);
    await running.close();
  });
});
