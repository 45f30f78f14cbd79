import type { ParsedQuery } from '@fledge/query';
import { Paginate, type Paginator, Qs, QueryModule } from '@fledge/query/nest';
import { describe, expect, it } from '@jest/globals';
import { Controller, Get } from '@nestjs/common';
import { ApiQuery, DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { listen, servers } from './support/servers.js';

const TASKS = { filterable: ['status'], sortable: ['title'], searchable: ['title'] } as const;

@Controller()
class TasksController {
  @Get('qs')
  qs(@Qs(TASKS) _query: ParsedQuery<typeof TASKS>) {}

  @Get('small')
  small(@Qs(TASKS, { maxLimit: 5 }) _query: ParsedQuery<typeof TASKS>) {}

  @Get('both')
  both(@Qs(TASKS) _query: ParsedQuery<typeof TASKS>, @Paginate() _paginate: Paginator) {}

  @Get('alone')
  alone(@Paginate() _paginate: Paginator) {}

  @Get('own')
  @ApiQuery({ name: 'q', description: 'Words of a title.' })
  @ApiQuery({ name: 'verbose', type: Boolean, required: false })
  own(@Qs(TASKS) _query: ParsedQuery<typeof TASKS>) {}
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description?: string;
  readonly schema: object;
}

function parametersOf(document: OpenAPIObject, path: string): readonly Parameter[] {
  return document.paths[path]?.get?.parameters as unknown as Parameter[];
}

describe.each(servers.slice(1))('OpenAPI on $name', (server) => {
  it('documents a list with @Qs() alone', async () => {
    const { app, close } = await listen(server, {
      imports: [QueryModule.forRoot({ maxLimit: 40, maxSearchLength: 30 })],
      controllers: [TasksController],
    });
    const document = SwaggerModule.createDocument(app, new DocumentBuilder().build());
    await close();
    expect(parametersOf(document, '/qs')).toEqual([
      {
        name: 'filter',
        in: 'query',
        required: false,
        description: expect.stringContaining('Fields: status. Operators: eq, neq,'),
        schema: expect.objectContaining({
          type: 'array',
          items: { type: 'string', pattern: expect.stringMatching(/^\^\(\?:status\):\(\?:eq\|/) },
        }),
      },
      {
        name: 'sort',
        in: 'query',
        required: false,
        description: expect.any(String),
        schema: expect.objectContaining({
          type: 'array',
          items: { type: 'string', enum: ['title:asc', 'title:desc'] },
        }),
      },
      expect.objectContaining({
        name: 'page',
        schema: expect.objectContaining({ type: 'integer', minimum: 1, default: 1 }),
      }),
      expect.objectContaining({
        name: 'limit',
        schema: expect.objectContaining({
          type: 'integer',
          minimum: 1,
          maximum: 40,
          default: 20,
        }),
      }),
      expect.objectContaining({
        name: 'q',
        schema: expect.objectContaining({ type: 'string', maxLength: 30 }),
      }),
    ]);
    expect(parametersOf(document, '/both')).toEqual(parametersOf(document, '/qs'));
    expect(parametersOf(document, '/small')[3]).toMatchObject({ schema: { maximum: 5 } });
    expect(parametersOf(document, '/alone').map(({ name }) => name)).toEqual(['page', 'limit']);

    const own = parametersOf(document, '/own');
    expect(own.map(({ name }) => name)).toEqual([
      'filter',
      'sort',
      'page',
      'limit',
      'q',
      'verbose',
    ]);
    expect(own[4]).toMatchObject({ description: 'Words of a title.' });
  });
});
