import type { Promised } from './promise.js';

const README = 'libs/query/README.md';
const ADAPTERS = 'libs/query/docs/adapters.md';
const COMPARING = 'libs/query/docs/comparing.md';
const CURSORS = 'libs/query/docs/cursors.md';
const FIELDS = 'libs/query/docs/fields.md';
const GROUPS = 'libs/query/docs/groups.md';
const RELATIONS = 'libs/query/docs/relations.md';
const NEST = 'libs/query/docs/nest.md';

export const queryPromises: readonly Promised[] = [
  {
    page: RELATIONS,
    words: 'Queries cannot name tables, joins or other paths',
    spec: 'libs/query/test/relations-config.spec.ts',
    test: 'takes names of the config, not of the query',
  },
  {
    page: RELATIONS,
    words: 'A row is counted once',
    spec: 'libs/query/test/support/related.ts',
    test: 'as rows in memory do, for generated queries',
  },
  {
    page: RELATIONS,
    words: 'A path through a reference (`ref`) is refused at boot',
    spec: 'libs/query/test/mongoose.spec.ts',
    test: 'refuses %s, which goes through a reference',
  },
  {
    page: RELATIONS,
    words: 'error at boot, unless each row has the related row',
    spec: 'libs/query/test/relations-prisma.spec.ts',
    test: 'order by a required field only if each row has the related row',
  },
  {
    page: README,
    words: 'give the same answer for repeated keys, `filter[]=` and `filter[0]=`',
    spec: 'libs/query/test/servers.spec.ts',
    test: 'reads each form of a list alike',
  },
  {
    page: README,
    words: '`errors` lists the problems, never a value',
    spec: 'libs/query/src/parse/parse-query.spec.ts',
    test: 'lists every problem at once, without the values',
  },
  {
    page: README,
    words: '`errors` lists the problems, never a value',
    spec: 'libs/query/src/resolve/resolve-query.spec.ts',
    test: 'lists every value that does not fit, without repeating the values',
  },
  {
    page: README,
    words: 'lists up to 100 problems',
    spec: 'libs/query/src/parse/parse-query.spec.ts',
    test: 'lists at most 100 problems',
  },
  {
    page: README,
    words: 'No query string throws anything else',
    spec: 'libs/query/test/laws.spec.ts',
    test: 'parse(build(parse(x))) is parse(x), and page, limit, offset and search keep their bounds',
  },
  {
    page: README,
    words: 'relative, never of the `Host` header',
    spec: 'libs/query/test/nest-paginate.spec.ts',
    test: 'sets the Link header if linkHeader is on: %s',
  },
  {
    page: README,
    words: 'relative, never of the `Host` header',
    spec: 'libs/query/src/page/links.spec.ts',
    test: 'drops the host of %j',
  },
  {
    page: README,
    words: 'They give the same answer to the same query',
    spec: 'libs/query/test/support/differential.ts',
    test: 'gives the same rows as the memory adapter',
  },
  {
    page: README,
    words: 'They give the same answer to the same query',
    spec: 'libs/query/test/column-types.spec.ts',
    test: '%s gives the same rows as the memory adapter',
  },
  {
    page: ADAPTERS,
    words: 'whatever the query string says, your condition holds',
    spec: 'libs/query/test/base-condition.spec.ts',
    test: '%s keeps it in the page and in the count',
  },
  {
    page: ADAPTERS,
    words: 'whatever the query string says, your condition holds',
    spec: 'libs/query/test/prisma.spec.ts',
    test: 'keeps your own condition in the page and in the count',
  },
  {
    page: COMPARING,
    words: 'the adapters give the same answer to the same query',
    spec: 'libs/query/test/support/differential.ts',
    test: 'gives the same rows as the memory adapter',
  },
  {
    page: COMPARING,
    words: 'the adapters give the same answer to the same query',
    spec: 'libs/query/test/column-types.spec.ts',
    test: '%s pages through every order by cursor, each row once',
  },
  {
    page: COMPARING,
    words: 'NaN is equal to itself and above all others',
    spec: 'libs/query/src/memory/compare.spec.ts',
    test: 'orders values of type %s',
  },
  {
    page: COMPARING,
    words: 'NaN is equal to itself and above all others',
    spec: 'libs/query/test/column-types.spec.ts',
    test: 'for filters and orders that failed before',
  },
  {
    page: CURSORS,
    words: 'do not shift the pages',
    spec: 'libs/query/test/changing-lists.spec.ts',
    test: '%s shows each row that stays once, however the list changes',
  },
  {
    page: CURSORS,
    words: 'without it, the client would get the first page again',
    spec: 'test/query-cursors.spec.ts',
    test: 'a cursor that is cut, changed, a list or an object: /%s',
  },
  {
    page: CURSORS,
    words: 'a cursor is accepted with other filters',
    spec: 'libs/query/test/cursor-scope.spec.ts',
    test: 'of %s is refused in another scope, and accepted with other filters',
  },
  {
    page: FIELDS,
    words: 'does not appear in rows',
    spec: 'libs/query/test/support/fields.ts',
    test: 'page by page: %j',
  },
  {
    page: FIELDS,
    words: 'a query gives whole rows, as it did before',
    spec: 'libs/query/test/fields.spec.ts',
    test: 'are in the parsed query only if the config has selectable and the query has fields',
  },
  {
    page: GROUPS,
    words: 'Each fault of `where` is a 400',
    spec: 'libs/query/test/where.spec.ts',
    test: 'refuses %j: %s at %d',
  },
  {
    page: GROUPS,
    words: 'Each fault of `where` is a 400',
    spec: 'libs/query/test/nest-groups.spec.ts',
    test: 'answers 400 for each fault: %s',
  },
  {
    page: GROUPS,
    words: "as SQL's `not (...)` does",
    spec: 'libs/query/test/groups.spec.ts',
    test: 'selects the rows of the not (...) of the engine',
  },
  {
    page: GROUPS,
    words: 'selects the same rows for the same `where`',
    spec: 'libs/query/test/support/differential.ts',
    test: 'and to generated groups of conditions',
  },
  {
    page: NEST,
    words: 'whatever type the compiler emits',
    spec: 'test/parameter-decorators.spec.ts',
    test: 'hold what their decorators promise',
  },
  {
    page: NEST,
    words: 'give the same `ParsedQuery` for',
    spec: 'libs/query/test/nest.spec.ts',
    test: 'reads ?%s',
  },
  {
    page: NEST,
    words: 'with names and reasons, never with values',
    spec: 'libs/query/test/nest-errors.spec.ts',
    test: 'logs rejected items at debug level, one line per query, without values',
  },
  {
    page: NEST,
    words: 'An invalid query is answered with 400, never with 500',
    spec: 'libs/query/test/nest-errors.spec.ts',
    test: 'lists every problem of a strict query: %s',
  },
  {
    page: NEST,
    words: 'An invalid query is answered with 400, never with 500',
    spec: 'libs/query/test/nest-errors.spec.ts',
    test: 'refuses more filters than maxFilters',
  },
  {
    page: NEST,
    words: 'An invalid query is answered with 400, never with 500',
    spec: 'libs/query/test/nest-errors.spec.ts',
    test: 'answers 400 for the error of an adapter, with the module: %s',
  },
  {
    page: NEST,
    words: 'Without both, Nest answers 400 with the message',
    spec: 'libs/query/test/nest-errors.spec.ts',
    test: 'answers 400 outside of @Qs() and without the module: %s',
  },
  {
    page: NEST,
    words: 'uses this schema for the input of the tool',
    spec: 'test/query-tool.spec.ts',
    test: 'says what may be asked for',
  },
];
