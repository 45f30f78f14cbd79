import type { Project } from './addition.js';
import { nestAddOf } from './nest-add.js';

/** The package of each ORM, and the subpath of @fledge/query that supports the ORM. */
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
    ) => `This package has no module to import. Next, read the query string of a list route in a controller:

${listFor(project)}

Start the application and send a request:

  curl 'http://localhost:3000/tasks?filter=title:contains:read&sort=id:desc&limit=10'`,
  },
  new URL('../../package.json', import.meta.url),
);

function listFor({ dependencies }: Project): string {
  if (dependencies.has('typeorm')) return WITH_TYPEORM;
  const found = ADAPTERS.find(([name]) => dependencies.has(name));
  const adapter = found === undefined ? 'An adapter' : `The adapter @fledge/query/${found[1]}`;
  return `${PLAIN}

${adapter} turns the parsed query into a database query.`;
}

const PLAIN = `  import type { ParsedQuery } from '@fledge/query';
  import { Qs } from '@fledge/query/nest';

  const TASKS = { columns: { id: 'integer', title: 'string' } } as const;

  @Get()
  list(@Qs(TASKS, { onInvalid: 'throw' }) query: ParsedQuery<typeof TASKS>) {
    // query.filters, query.sort, query.pagination
  }`;

const WITH_TYPEORM = `  import type { ParsedQuery } from '@fledge/query';
  import { Paginate, type Paginator, Qs } from '@fledge/query/nest';
  import { typeOrmAdapter } from '@fledge/query/typeorm';

  const TASKS = { filterable: ['title'], sortable: ['id'] } as const;

  @Get()
  async list(
    @Qs(TASKS, { onInvalid: 'throw' }) query: ParsedQuery<typeof TASKS>, // 400 for unknown fields
    @Paginate() paginate: Paginator,
  ) {
    const rows = this.tasks.createQueryBuilder('task'); // add your own conditions here
    const [data, total] = await typeOrmAdapter(this.tasks).build(query, TASKS).applyTo(rows).getManyAndCount();
    return paginate({ data, total });
  }`;
