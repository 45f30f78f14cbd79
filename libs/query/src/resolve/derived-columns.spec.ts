import { describe, expect, it } from '@jest/globals';
import { InvalidQueryConfigError } from '../query.errors.js';
import { type ColumnSource, type DerivedColumn, derivedSpecs } from './derived-columns.js';

const COLUMNS: Readonly<Record<string, DerivedColumn>> = {
  id: { name: 'id', type: 'integer', native: 'int', nullable: false, min: 0 },
  title: { name: 'title', type: 'string', native: 'text', nullable: true },
  'at.city': { name: 'at.city', type: 'string', native: 'text', nullable: true },
  extra: { name: 'extra', type: undefined, native: 'json', nullable: true },
};
const SOURCE: ColumnSource = {
  label: 'entity Task',
  primaryKey: ['id'],
  propertyOf: (path) => (Object.hasOwn(COLUMNS, path) ? COLUMNS[path] : undefined),
};
const ID = { name: 'id', type: 'integer', nullable: false, min: 0 };
const TITLE = { name: 'title', type: 'string', nullable: true };
const CITY = { name: 'at.city', type: 'string', nullable: true };

describe('derivedSpecs', () => {
  it('takes lists; a missing one allows no field', () => {
    expect(derivedSpecs(SOURCE)({ filterable: ['title'], searchable: ['at.city'] })).toEqual({
      columns: { title: TITLE },
      sortable: {},
      search: [CITY],
      primaryKey: [ID],
      nulls: 'last',
      list: 'entity Task',
    });
  });

  it('takes columns; declared properties override derived ones', () => {
    const config = {
      columns: {
        city: 'at.city',
        title: { name: 'title', operators: ['eq'] },
        extra: { type: 'string' },
      },
      searchColumns: ['title'],
    } as const;
    const columns = {
      city: CITY,
      title: { ...TITLE, operators: ['eq'] },
      extra: { name: 'extra', type: 'string', nullable: true },
    };
    expect(derivedSpecs(SOURCE)(config)).toEqual({
      columns,
      sortable: columns,
      search: [TITLE],
      primaryKey: [ID],
      nulls: 'last',
      list: 'entity Task',
    });
  });

  it.each([
    [{ filterable: ['no'] }, '"no" is not a column of entity Task.'],
    [{ filterable: ['author'] }, 'For a related entity, use its key, such as author.id.'],
    [{ columns: { no: { type: 'integer' } } } as const, '"no" is not a column of entity Task.'],
    [{ columns: { id: 'integer' } }, '"integer" is not a column of entity Task.'],
    [
      { sortable: ['extra'] },
      '"extra" of entity Task has the type json, which cannot be filtered or sorted.',
    ],
    [{ searchable: ['id'] }, 'Column "id" is searched by `q`, but its type is integer.'],
  ])('refuses %j', (config, fact) => {
    expect(() => derivedSpecs(SOURCE)(config)).toThrow(InvalidQueryConfigError);
    expect(() => derivedSpecs(SOURCE)(config)).toThrow(fact);
  });
});
