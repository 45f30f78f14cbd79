import { expect, it } from '@jest/globals';
import { InvalidQueryConfigError, InvalidQueryError } from '../../src/query.errors.js';
import type { ColumnValue, QueryColumn } from '../../src/resolve/column.js';
import type { DeclaredQueryConfig } from '../../src/resolve/declared-columns.js';

interface EncodingConfig extends DeclaredQueryConfig {
  readonly encode?: (value: ColumnValue, column: QueryColumn) => string;
}

/** Compiles a query for a table, and returns its parameters. */
export type Sent = (query: object, config: EncodingConfig) => readonly unknown[];

/** Registers tests that hold for each SQL adapter with declared columns. */
export function testDeclaredColumns(sent: Sent): void {
  it('sends encoded values', () => {
    const config: EncodingConfig = {
      columns: { done: 'boolean', at: 'timestamp', n: 'bigint' },
      encode: (value, { name, type }) => `${name} ${type} ${String(Number(value))}`,
    };
    const filter = ['done:eq:true', 'at:between:1970-01-01,1970-01-02', 'n:in:1,2'];
    expect(sent({ filter }, config).slice(0, 5)).toEqual([
      'done boolean 1',
      'at timestamp 0',
      'at timestamp 86400000',
      'n bigint 1',
      'n bigint 2',
    ]);
  });

  it('refuses a value that does not fit its column', () => {
    expect(() => sent({ filter: 'n:eq:x' }, { columns: { n: 'integer' } })).toThrow(
      InvalidQueryError,
    );
  });

  it('refuses a wrong config with the first query', () => {
    expect(() => sent({}, { columns: {}, primaryKey: 'id' })).toThrow(InvalidQueryConfigError);
  });
}
