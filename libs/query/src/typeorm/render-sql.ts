import { pgTimestamp } from '../resolve/calendar.js';
import type { QueryColumn } from '../resolve/column.js';
import type { GroupWriter } from '../shared-sql/group-sql.js';
import type { Sql } from '../shared-sql/sql-writer.js';
import {
  type Bind,
  inheritanceSql,
  type QueriedEntity,
  relatedColumnSql,
  relatedTablesSql,
} from './related-entity.js';

/**
 * A name that depends on the alias of the entity. TypeORM quotes property names and replaces them
 * by column names: `task.title`.
 */
type Part = (alias: string) => string;

export function sqlFor(parts: Sql<Part>, alias: string): string {
  return parts.map((part) => (typeof part === 'string' ? part : part(alias))).join('');
}

/** Writes SQL for a query builder, or for a raw operator of `find`. */
export function typeOrmWriter(entity: QueriedEntity, bind: Bind): GroupWriter<Part> {
  const { engine } = entity.dialect;
  return {
    ...entity.dialect,
    comparesAsFloat: engine === 'mysql',
    column(column, of = column.relation) {
      const { name } = column;
      const own: Part = of
        ? () => relatedColumnSql(of, name, entity)
        : (alias) => `${alias}.${name}`;
      if (!hasSpellings(column, entity.dialect)) return own;
      // The format in which TypeORM sends a Date. strftime() returns NULL for years after 9999.
      return (alias) => `coalesce(strftime('%Y-%m-%d %H:%M:%f', ${own(alias)}), ${own(alias)})`;
    },
    value(value) {
      // TypeORM writes numbers into the SQL of SQLite. SQLite would read Infinity as a column name.
      const isInfinite = value === Infinity || value === -Infinity;
      if (isInfinite && engine !== 'postgresql') return value < 0 ? '-9e999' : '9e999';
      if (typeof value === 'bigint') return bind(value.toString());
      // pg sends the offset of a Date in whole minutes.
      const isSentByPg = engine === 'postgresql' && value instanceof Date;
      return bind(isSentByPg ? pgTimestamp(value) : value);
    },
    related(relation, condition) {
      const { from, on } = relatedTablesSql(relation, entity);
      const inherited = inheritanceSql(relation, entity, bind) ?? [];
      const joins: Part = (alias) => [...on(alias), inherited].flat().join(' and ');
      return [`(select 1 from ${from} where `, joins, ' and ', ...condition, ')'];
    },
  };
}

/**
 * True for timestamps on SQLite. SQLite stores them as text, and compares the text: TypeORM writes
 * `2026-01-31 10:30:15.000`, but a default such as `@CreateDateColumn()` writes
 * `2026-01-31 10:30:15`.
 */
export function hasSpellings(
  { type, json, asText }: QueryColumn,
  { engine }: QueriedEntity['dialect'],
): boolean {
  return engine === 'sqlite' && type === 'timestamp' && json === undefined && asText !== true;
}
