// Conditions on several related rows cost a subquery each, so they have a limit of their own.
import { describe, expect, it } from '@jest/globals';
import {
  InvalidQueryConfigError,
  InvalidQueryError,
  type ParsedQuery,
  parseQuery,
} from '@fledge/query';
import { knexAdapter } from '@fledge/query/knex';
import { kyselyAdapter } from '@fledge/query/kysely';
import { memoryAdapter } from '@fledge/query/memory';
import { mongooseAdapter } from '@fledge/query/mongoose';
import { Qs, QueryModule } from '@fledge/query/nest';
import { Controller, Get } from '@nestjs/common';
import mongoose from 'mongoose';
import { listen, servers } from './support/servers.js';

const LIST = {
  columns: { id: 'integer', 'author.name': 'string', 'tags.name': 'string' },
  sortable: {},
  primaryKey: 'id',
  relations: {
    author: { table: 'users', on: { id: 'tasks.author_id' } },
    tags: { many: true, table: 'tags', on: { task_id: 'tasks.id' } },
  },
} as const;

const IN_MEMORY = { ...LIST, relations: { author: {}, tags: { many: true } } } as const;

const Task = mongoose.model(
  'LimitedTask',
  new mongoose.Schema({ tags: [new mongoose.Schema({ name: String })] }),
);
const documents = { filterable: ['tags.name'] } as const;

const tags = (count: number) => Array<string>(count).fill('tags.name:eq:a');
const group = (count: number) => `or(${tags(count).join()})`;

type Options = Parameters<typeof parseQuery>[2];
const BUILDS: [string, (query: object, options: Options) => object][] = [
  [
    'memory',
    (query, options) => memoryAdapter.build(parseQuery(query, IN_MEMORY, options), IN_MEMORY),
  ],
  ['Kysely', (query, options) => kyselyAdapter.build(parseQuery(query, LIST, options), LIST)],
  ['Knex', (query, options) => knexAdapter.build(parseQuery(query, LIST, options), LIST)],
  [
    'Mongoose',
    (query, options) =>
      mongooseAdapter(Task).build(parseQuery(query, documents, options), documents),
  ],
];

describe.each(BUILDS)('maxRelatedFilters of %s', (_, build) => {
  const where = true;

  it.each([
    [{ filter: tags(6) }, 'filter "tags.name" too-many (expected: at most 5 conditions on to-many'],
    [{ where: group(6) }, 'where "tags.name" too-many (expected: at most 5 conditions on to-many'],
    [{ where: `not(${group(6)})` }, 'where "tags.name" too-many'],
    [{ filter: tags(3), where: group(3) }, 'where "tags.name" too-many'],
  ])('is 5 by default: %j', (query, message) => {
    expect(() => build(query, { where })).toThrow(InvalidQueryError);
    expect(() => build(query, { where })).toThrow(message);
    const limits = { maxRelatedFilters: 6 };
    expect(() => build(query, { where, limits })).not.toThrow();
  });

  it('can be lower', () => {
    const limits = { maxRelatedFilters: 1 };
    expect(() => build({ filter: tags(1) }, { limits })).not.toThrow();
    expect(() => build({ filter: tags(2) }, { limits })).toThrow('at most 1 conditions');
  });

  it('allows as many', () => {
    expect(() => build({ filter: tags(2), where: group(3) }, { where })).not.toThrow();
  });
});

it('maxRelatedFilters does not count other conditions', () => {
  const filter = Array<string>(40).fill('author.name:neq:a');
  expect(() => kyselyAdapter.build(parseQuery({ filter }, LIST), LIST)).not.toThrow();
});

it('maxRelatedFilters stays with a copy of a query, and out of its JSON', () => {
  const limits = { maxRelatedFilters: 6 };
  const parsed = parseQuery({ filter: tags(6) }, LIST, { limits });
  expect(() => memoryAdapter.build({ ...parsed }, IN_MEMORY)).not.toThrow();
  expect(JSON.stringify(parsed)).not.toContain('maxRelatedFilters');
  expect(() => parseQuery({}, LIST, { limits: { maxRelatedFilters: 0 } })).toThrow(
    InvalidQueryConfigError,
  );
});

@Controller()
class TasksController {
  @Get('default')
  byDefault(@Qs(LIST) query: ParsedQuery<typeof LIST>) {
    return memoryAdapter.build(query, IN_MEMORY).apply([]);
  }

  @Get('more')
  more(@Qs(LIST, { limits: { maxRelatedFilters: 6 } }) query: ParsedQuery<typeof LIST>) {
    return memoryAdapter.build(query, IN_MEMORY).apply([]);
  }
}

describe.each(servers)('maxRelatedFilters on $name', (server) => {
  it('is a 400, and an option of the route', async () => {
    const imports = [QueryModule.forRoot()];
    const { get, close } = await listen(server, { imports, controllers: [TasksController] });
    const query = tags(6)
      .map((filter) => `filter=${filter}`)
      .join('&');
    expect(await get(`/default?${query}`)).toMatchObject({
      status: 400,
      body: { errors: [{ kind: 'filter', field: 'tags.name', reason: 'too-many' }] },
    });
    expect((await get(`/more?${query}`)).status).toBe(200);
    await close();
  });
});
