// The page for those who come from nestjs-paginate: each name of its public types has a row, and the query strings that
// the page gives are read as it says.
import { readFileSync } from 'node:fs';
import { parseQuery } from '@fledge/query';
import { describe, expect, it } from '@jest/globals';

const page = readFileSync(new URL('../docs/from-nestjs-paginate.md', import.meta.url), 'utf8');

/** The names of nestjs-paginate 15.0.1, from its declarations. */
const NAMES = {
  options: [
    ...['relations', 'sortableColumns', 'nullSort', 'searchableColumns', 'select', 'maxLimit'],
    ...['defaultSortBy', 'defaultLimit', 'where', 'filterableColumns', 'loadEagerRelations'],
    ...['withDeleted', 'allowWithDeletedInQuery', 'paginationType', 'relativePath', 'origin'],
    ...['ignoreSearchByInQueryParam', 'ignoreSelectInQueryParam', 'multiWordSearch'],
    ...['defaultJoinMethod', 'joinMethods', 'buildCountQuery', 'optimizedCount'],
    ...['throwOnInvalidFilter', 'filterExpressionMaxComplexity'],
  ],
  operators: [
    ...['$eq', '$gt', '$gte', '$in', '$null', '$lt', '$lte', '$btw', '$ilike', '$sw', '$contains'],
    ...['$not', '$any', '$all', '$none', '$and', '$or'],
  ],
  parameters: [
    ...['page', 'limit', 'sortBy', 'searchBy', 'search', 'filter', 'select', 'cursor'],
    'withDeleted',
  ],
  response: [
    ...['data', 'itemsPerPage', 'totalItems', 'currentPage', 'totalPages', 'sortBy', 'searchBy'],
    ...['search', 'select', 'filter', 'cursor', 'first', 'previous', 'current', 'next', 'last'],
  ],
  others: [
    ...['Paginate', 'PaginateQuery', 'Paginated', 'ApiPaginationQuery', 'ApiOkPaginatedResponse'],
    ...['PaginatedSwaggerDocs', 'addRelationsFromSchema', 'buildOptimizedCountQuery'],
    ...['LIMIT_AND_OFFSET', 'TAKE_AND_SKIP', 'CURSOR', 'NO_PAGINATION', 'COUNTER_ONLY'],
    ...['updateGlobalConfig', 'defaultOrigin', 'defaultMaxLimit'],
    'defaultFilterExpressionMaxComplexity',
  ],
};

/** The rows of the table under a heading: its cells, without the header. */
function rowsOf(heading: string): string[][] {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';
  return section
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) => line.split(' | ').map((cell) => cell.replaceAll(/^\|? *| *\|?$/g, '')));
}

const firstCells = (heading: string) => rowsOf(heading).map(([first = '']) => first);
/** True if one cell names it, as code. */
const has = (cells: readonly string[], name: string) =>
  cells.some((cell) =>
    [...cell.matchAll(/`([^`]+)`/g)].some(([, code = '']) => code.split(/[^$\w]/).includes(name)),
  );

describe('the page for those who come from nestjs-paginate', () => {
  it('has a row for each option, and no row for another', () => {
    expect(firstCells('Options').toSorted()).toEqual(
      NAMES.options.map((name) => `\`${name}\``).toSorted(),
    );
  });

  it.each([
    ['Operators', NAMES.operators],
    ['Query string', NAMES.parameters],
    ['Response', NAMES.response],
  ])('has a row for each name: %s', (heading, names) => {
    expect(names.filter((name) => !has(firstCells(heading), name))).toEqual([]);
  });

  it('names the decorators, functions and constants', () => {
    const prose = page.replaceAll(/^```[^]*?^```$/gm, '');
    expect(NAMES.others.filter((name) => !has([prose], name))).toEqual([]);
  });

  it('says something in each row', () => {
    const headings = [
      'Query string',
      'Operators',
      'Options',
      'Response',
      'Decorators and functions',
    ];
    const rows = headings.flatMap(rowsOf);
    expect(rows.length).toBeGreaterThan(60);
    expect(rows.filter(([, here = '']) => here.length < 4)).toEqual([]);
  });

  const config = {
    filterable: ['name', 'age', 'tags'],
    sortable: ['name', 'age'],
    selectable: ['id', 'name'],
  } as const;
  const options = {
    operators: ['nin', 'isnull', 'has'],
    where: true,
    onInvalid: 'throw',
  } as const;
  const read = (text: string, byCursor: boolean) =>
    parseQuery(wireOf(text), config, { ...options, cursors: byCursor });

  it.each(queryStrings())('gives a query string that is read without a problem: %s', (text) => {
    const parsed = read(text, text.includes('after='));
    const asked = [...new URLSearchParams(text)].length;
    const { filters, sort, search, where, fields, after } = parsed;
    const found = filters.length + sort.length + Number(search !== '');
    const more = [where, fields, after].filter((part) => part !== undefined).length;
    const paged = ['page', 'limit'].filter((name) => new URLSearchParams(text).has(name)).length;
    expect(found + more + paged).toBe(asked);
  });

  it('gives conditions that are read without a problem', () => {
    const conditions = rowsOf('Operators').flatMap(([, here = '']) => codesOf(here));
    const filters = conditions.filter((text) => /^\w+:\w+:/.test(text));
    expect(filters.length).toBeGreaterThan(12);
    for (const filter of filters) expect(read(`filter=${filter}`, false).filters).toHaveLength(1);
    const groups = conditions.filter((text) => text.startsWith('where='));
    expect(groups.length).toBeGreaterThan(1);
    for (const group of groups) expect(read(group, false)).toHaveProperty('where');
  });
});

function codesOf(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

function queryStrings(): string[] {
  return rowsOf('Query string')
    .flatMap(([, here = '']) => codesOf(here))
    .filter((text) => text.includes('='));
}

/** As a server decodes it. */
function wireOf(text: string): object {
  const params = new URLSearchParams(text);
  const wire = [...new Set(params.keys())].map((name) => {
    const all = params.getAll(name);
    return [name, all.length > 1 ? all : all[0]] as const;
  });
  return Object.fromEntries(wire);
}
