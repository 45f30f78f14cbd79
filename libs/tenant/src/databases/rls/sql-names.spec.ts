import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  quoteText,
  quoteIdentifier,
  buildSearchPath,
  checkSettingName,
  parseTableName,
  checkTypeName,
} from './sql-names.js';

/** As PostgreSQL reads a name in double quotes. */
function read(sql: string): string | undefined {
  return /^"(?:[^"]|"")+"$/.exec(sql)?.[0].slice(1, -1).replaceAll('""', '"');
}

describe('names of SQL', () => {
  it('stay one name each, whatever they are', () => {
    const names = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 63 });
    fc.assert(
      fc.property(names, (name) => expect(read(quoteIdentifier(name, 'table'))).toBe(name)),
    );
    fc.assert(
      fc.property(fc.array(names, { minLength: 1 }), (list) => {
        fc.pre(list.every((name) => !/^(\$user$|pg_|information_schema$)/.test(name)));
        const parts = buildSearchPath(list).match(/"(?:[^"]|"")+"(?=, "|$)/g);
        expect(parts?.join(', ')).toBe(buildSearchPath(list));
      }),
    );
  });

  it('and texts hold no sign that an ORM takes for a parameter', () => {
    expect(quoteText(`a'b\\?$1 ü_9`)).toBe(`E'a\\u0027b\\u005c\\u003f\\u00241\\u0020ü_9'`);
    const texts = fc.string({ unit: 'grapheme' });
    fc.assert(
      fc.property(texts, (text) => {
        const sql = quoteText(text);
        expect(sql).toMatch(/^E'(?:\\u[0-9a-f]{4}|[\w\P{ASCII}])*'$/u);
        expect(JSON.parse(`"${sql.slice(2, -1)}"`)).toBe(text);
      }),
    );
  });

  it('count bytes, as PostgreSQL does where it cuts them off', () => {
    expect(quoteIdentifier('ä'.repeat(31), 'table')).toBe(`"${'ä'.repeat(31)}"`);
    expect(() => quoteIdentifier('ä'.repeat(32), 'table')).toThrow('must have 1 to 63 bytes');
  });

  it('have a schema in front or none', () => {
    expect(parseTableName('note')).toEqual({ schema: undefined, table: 'note' });
    expect(parseTableName('billing.note')).toEqual({ schema: 'billing', table: 'note' });
    expect(() => parseTableName('.note')).toThrow('a schema name');
    expect(() => parseTableName('a.b.c')).toThrow(`Pass 'table' or 'schema.table'`);
  });

  it.each(['uuid', 'bigint', 'character varying', 'my_type'])('take %s', (type) => {
    expect(checkTypeName(type)).toBe(type);
  });

  it.each([
    'CITEXT',
    'boolean',
    'varchar(10)',
    'character varying(10)',
    'char',
    'char(3)',
    'character',
    'bpchar',
    'name',
    'real',
    'double precision',
    'numeric',
    'decimal',
    'numeric(20)',
  ])('refuse the type %s, which could make two tenants equal', (type) => {
    expect(() => checkTypeName(type)).toThrow('could make two tenants equal');
  });

  it.each(['', 'a b;', 'uuid[]', "x'", 'app', 'app.', '1.a', 'a.b c'])('refuse %j', (name) => {
    expect(() => checkSettingName(name)).toThrow('a setting name');
  });
});
