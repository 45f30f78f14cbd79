// A Nest application with one route that lists tasks of PostgreSQL through TypeORM.
// Arguments: platform (Express | Fastify), then what reads the query string and builds the SQL:
// `fledge`, `nestjs-paginate` or `none` (a route that ignores the query string and sends the same SQL each time), then the name
// of the table.
import 'reflect-metadata';
import { createRequire } from 'node:module';
import { Controller, Get, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { ParsedQuery } from '@fledge/query';
import { Paginate, type Paginator, Qs, QueryModule } from '@fledge/query/nest';
import { typeOrmAdapter } from '@fledge/query/typeorm';
import type * as NestjsPaginate from 'nestjs-paginate';
import { DataSource, EntitySchema, ILike, MoreThanOrEqual } from 'typeorm';
import { DATABASE_URL } from '../postgres.js';
import { listen, platformAdapter } from './platform.js';
import { report } from './report.js';

// An ES module cannot import its names.
const other = createRequire(import.meta.url)('nestjs-paginate') as typeof NestjsPaginate;

interface Task {
  readonly id: number;
  readonly title: string;
  readonly status: string;
  readonly priority: number;
}

const [platform, reader = '', tableName = ''] = process.argv.slice(2);

const TaskEntity = new EntitySchema<Task>({
  name: 'task',
  tableName,
  columns: {
    id: { type: 'integer', primary: true },
    title: { type: 'text' },
    status: { type: 'text' },
    priority: { type: 'integer' },
  },
});
const database = await new DataSource({
  type: 'postgres',
  url: DATABASE_URL,
  entities: [TaskEntity],
}).initialize();
const tasks = database.getRepository(TaskEntity);

const TASKS = {
  filterable: ['status', 'priority'],
  sortable: ['priority', 'title'],
  searchable: ['title'],
} as const;

@Controller('tasks')
class FledgeController {
  @Get()
  async list(@Qs(TASKS) query: ParsedQuery<typeof TASKS>, @Paginate() paginate: Paginator) {
    const [data, total] = await tasks.findAndCount(typeOrmAdapter(tasks).build(query, TASKS));
    return paginate({ data, total });
  }
}

const CONFIG: NestjsPaginate.PaginateConfig<Task> = {
  sortableColumns: ['priority', 'title'],
  searchableColumns: ['title'],
  filterableColumns: {
    status: [other.FilterOperator.EQ],
    priority: [other.FilterOperator.GTE],
  },
};

@Controller('tasks')
class NestjsPaginateController {
  @Get()
  list(@other.Paginate() query: NestjsPaginate.PaginateQuery) {
    return other.paginate(query, tasks, CONFIG);
  }
}

@Controller('tasks')
class FixedController {
  @Get()
  async list() {
    const [data, total] = await tasks.findAndCount({
      where: { status: 'open', priority: MoreThanOrEqual(3), title: ILike('%deploy%') },
      order: { priority: 'DESC', title: 'ASC', id: 'ASC' },
      skip: 20,
      take: 20,
    });
    return { data, total };
  }
}

const CONTROLLERS: Record<string, Type> = {
  fledge: FledgeController,
  'nestjs-paginate': NestjsPaginateController,
  none: FixedController,
};

const controller = CONTROLLERS[reader];
if (controller === undefined) throw new Error(`No such reader of query strings: ${reader}`);

@Module({ imports: [QueryModule.forRoot({ onInvalid: 'throw' })], controllers: [controller] })
class AppModule {}

const app = await NestFactory.create(AppModule, platformAdapter(platform), {
  logger: ['error', 'warn'],
});
report(await listen(app));
