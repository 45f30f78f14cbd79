import type { Project } from './addition.js';
import { nestAddOf } from './nest-add.js';

/** Subpaths of @fledge/query by the package that each is for. */
const ADAPTERS: readonly (readonly [string, string])[] = [
  ['drizzle-orm', 'drizzle'],
  ['@prisma/client', 'prisma'],
  ['typeorm', 'typeorm'],
  ['@mikro-orm/core', 'mikro-orm'],
  ['kysely', 'kysely'],
  ['knex', 'knex'],
  ['mongoose', 'mongoose'],
];

export const nestAdd = nestAddOf(
  {
    next: (
      project,
    ) => `There is no module to import. Next, read the query string of a list. In a controller:

  import type { ParsedQuery } from '@fledge/query';
  import { Qs } from '@fledge/query/nest';

  const TASKS = { columns: { id: 'integer', title: 'string' } } as const;

  @Get()
  list(@Qs(TASKS) query: ParsedQuery<typeof TASKS>) {
    // query.filters, query.sort, query.pagination
  }

${adapterOf(project)} makes a query of the database from it. Start the application and send a request:

  curl 'http://localhost:3000/tasks?filter=title:contains:read&sort=id:desc&limit=10'`,
  },
  new URL('../../package.json', import.meta.url),
);

function adapterOf({ dependencies }: Project): string {
  const found = ADAPTERS.find(([name]) => dependencies.has(name));
  return found === undefined
    ? 'An adapter, such as @fledge/query/memory for rows in memory,'
    : `@fledge/query/${found[1]}`;
}
