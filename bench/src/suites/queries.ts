import 'reflect-metadata';
import { createRequire } from 'node:module';
import querystring from 'node:querystring';
import { compileQuery, parseQuery } from '@fledge/query';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/internal';
import { atLeast, atMost, type Effort, type Goal } from '../goal.js';
import { show } from '../show.js';
import { median, table } from '../table.js';

const require = createRequire(import.meta.url);

/** What a list endpoint gets in its own day: 3 filters, 2 sorts, a page, a limit and a search. */
const OURS =
  'filter=status:eq:active&filter=priority:gte:3&filter=createdAt:gte:2026-01-01T10:30:00Z' +
  '&sort=createdAt:desc&sort=title:asc&page=3&limit=50&q=%20deploy+script%20';
const NESTJS_PAGINATE =
  'filter.status=$eq:active&filter.priority=$gte:3&filter.createdAt=$gte:2026-01-01T10:30:00Z' +
  '&sortBy=createdAt:DESC&sortBy=title:ASC&page=3&limit=50&search=%20deploy+script%20';
const CRUD =
  'filter=status||$eq||active&filter=priority||$gte||3&filter=createdAt||$gte||2026-01-01T10:30:00Z' +
  '&sort=createdAt,DESC&sort=title,ASC&page=3&limit=50';

/** Three conditions in three groups. */
const GROUPS =
  'where=or(status:eq:active,and(priority:gte:3,not(title:in:"draft,old")))&page=3&limit=50';

const FIELDS = ['status', 'priority', 'createdAt', 'title'];

interface Contender {
  readonly name: string;
  run(): unknown;
}

/** What reading a list query costs, once the server has decoded it, beside the decoding itself. */
export function queries({ seconds, rounds }: Effort): Promise<Goal[]> {
  const decoded = querystring.parse(OURS);
  const parsers = [5, 50, 500].map((columns): Contender => {
    const parse = compileQuery(configOf(columns));
    return { name: `@fledge/query, ${columns} columns listed`, run: () => parse(decoded) };
  });
  const parseGroups = compileQuery(configOf(5), { where: true });
  const groups = querystring.parse(GROUPS);
  const qs = require('qs') as { parse(text: string): unknown };
  const contenders: Contender[] = [
    { name: 'decoding: node:querystring (Express)', run: () => querystring.parse(OURS) },
    { name: 'decoding: qs (Express, extended)', run: () => qs.parse(OURS) },
    ...parsers,
    {
      name: '@fledge/query, a new config in each call',
      run: () => parseQuery(decoded, configOf(5)),
    },
    { name: '@fledge/query, groups in where', run: () => parseGroups(groups) },
    { name: 'nestjs-paginate 15.0.1, its decorator', run: nestjsPaginate() },
    { name: '@dataui/crud-request 5.3.4', run: crudRequest() },
  ];
  const ns = measure(contenders, seconds / 5, rounds);
  const of = (name: string) =>
    ns[contenders.findIndex((contender) => contender.name.startsWith(name))] ?? Number.NaN;
  const ours = of('@fledge/query, 5 columns');

  show(
    table(
      ['Reading a list query', '>ns', '>over ours'],
      contenders.map(({ name }, i) => {
        const cost = ns[i] ?? Number.NaN;
        return [name, cost.toFixed(0), (cost / ours).toFixed(2)];
      }),
    ),
  );
  return Promise.resolve([
    atMost('Query: parse over node:querystring', 0.5, ours / of('decoding: node:querystring')),
    atLeast('Query: nestjs-paginate over ours', 4, of('nestjs-paginate') / ours),
    atMost('Query: groups in where, ns', 2500, of('@fledge/query, groups')),
    atMost('Query: 500 columns over 5', 1.2, of('@fledge/query, 500') / ours),
    atMost(
      'Query: a new config in each call, over a compiled one',
      5,
      of('@fledge/query, a new') / ours,
    ),
  ]);
}

function configOf(columns: number) {
  const others = Array.from({ length: columns - FIELDS.length }, (_, i) => `column${i}`);
  const names = [...FIELDS, ...others];
  return { filterable: names, sortable: names };
}

/** The factory of `@Paginate()`, which parses, on the request it would get from Express. */
function nestjsPaginate(): () => unknown {
  const { Paginate } = require('nestjs-paginate') as { Paginate(): ParameterDecorator };
  class Controller {
    list(): void {}
  }
  Paginate()(Controller.prototype, 'list', 0);
  const [argument] = Object.values(
    Reflect.getMetadata(ROUTE_ARGS_METADATA, Controller, 'list') as object,
  ) as { factory(data: unknown, context: unknown): unknown }[];
  if (!argument) throw new Error('nestjs-paginate has left no parameter');
  const request = {
    query: querystring.parse(NESTJS_PAGINATE),
    protocol: 'http',
    hostname: 'localhost',
    get: () => 'localhost:3000',
    originalUrl: `/tasks?${NESTJS_PAGINATE}`,
    url: `/tasks?${NESTJS_PAGINATE}`,
  };
  const context = {
    getType: () => 'http',
    switchToHttp: () => ({ getRequest: () => request }),
  };
  return () => argument.factory(undefined, context);
}

function crudRequest(): () => unknown {
  const { RequestQueryParser } = require('@dataui/crud-request') as {
    RequestQueryParser: { create(): { parseQuery(query: unknown): unknown } };
  };
  const query = querystring.parse(CRUD);
  return () => RequestQueryParser.create().parseQuery(query);
}

/** Nanoseconds an operation, the median of rounds in which contenders take turns. */
function measure(contenders: readonly Contender[], seconds: number, rounds: number): number[] {
  const taken = contenders.map((): number[] => []);
  for (const { run } of contenders) for (let i = 0; i < 2_000; i++) run();
  for (let round = 0; round < rounds; round++) {
    contenders.forEach(({ run }, at) => taken[at]?.push(perOperation(run, seconds)));
  }
  return taken.map(median);
}

function perOperation(run: () => unknown, seconds: number): number {
  const started = process.hrtime.bigint();
  const end = started + BigInt(Math.round(seconds * 1e9));
  let operations = 0;
  while (process.hrtime.bigint() < end) {
    for (let i = 0; i < 500; i++) run();
    operations += 500;
  }
  return Number(process.hrtime.bigint() - started) / operations;
}
