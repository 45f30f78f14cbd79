import { describe, expect, it } from '@jest/globals';
import * as query from '@fledge/query';
import * as client from '@fledge/query/client';
import * as memory from '@fledge/query/memory';

describe('the public exports of @fledge/query', () => {
  it('are these names and no others', () => {
    expect(Object.keys(query).toSorted()).toEqual([
      'ExportLimitError',
      'InvalidQueryConfigError',
      'InvalidQueryError',
      'InvalidTotalError',
      'MisplacedDecoratorError',
      'MissingPeerError',
      'QueryError',
      'UnacceptableExportError',
      'UnbuildableQueryError',
      'UnsupportedPeerError',
      'buildQueryParams',
      'buildQueryString',
      'compileQuery',
      'connectionOf',
      'decodeCursor',
      'encodeCursor',
      'exportPages',
      'filter',
      'joinList',
      'keysetCondition',
      'keysetPage',
      'linkHeader',
      'pageLinks',
      'paginate',
      'parseQuery',
      'resolveQuery',
      'splitList',
    ]);
    expect(Object.keys(client).toSorted()).toEqual([
      'UnbuildableQueryError',
      'buildQueryParams',
      'buildQueryString',
      'filter',
      'fromAgGrid',
      'fromRefine',
      'fromTanStackTable',
      'joinList',
    ]);
    expect(client.buildQueryString).toBe(query.buildQueryString);
    expect(Object.keys(memory)).toEqual(['memoryAdapter']);
    expect(memory.memoryAdapter.name).toBe('memory');
  });

  it('include errors with these codes', () => {
    const codes = [
      new query.InvalidQueryError([]),
      new query.InvalidQueryConfigError('a', 'b'),
      new query.UnbuildableQueryError('a', 'b'),
      new query.InvalidTotalError(-1),
      new query.MisplacedDecoratorError('a'),
      new query.MissingPeerError('a', 'b'),
      new query.UnsupportedPeerError('a', '1', '^2', 'b'),
      new query.UnacceptableExportError(['a']),
      new query.ExportLimitError(1),
    ].map(({ code, name }) => [name, code]);
    expect(codes).toEqual([
      ['InvalidQueryError', 'QUERY_INVALID'],
      ['InvalidQueryConfigError', 'QUERY_INVALID_CONFIG'],
      ['UnbuildableQueryError', 'QUERY_UNBUILDABLE'],
      ['InvalidTotalError', 'QUERY_INVALID_TOTAL'],
      ['MisplacedDecoratorError', 'QUERY_MISPLACED_DECORATOR'],
      ['MissingPeerError', 'QUERY_MISSING_PEER'],
      ['UnsupportedPeerError', 'QUERY_UNSUPPORTED_PEER'],
      ['UnacceptableExportError', 'QUERY_UNACCEPTABLE_EXPORT'],
      ['ExportLimitError', 'QUERY_EXPORT_LIMIT'],
    ]);
    expect(new query.InvalidQueryError([]).status).toBe(400);
  });
});
