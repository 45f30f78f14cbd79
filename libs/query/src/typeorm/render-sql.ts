import { pgTimestamp } from '../resolve/calendar.js';
import type { ColumnValue } from '../resolve/column.js';
import type { Sql, SqlEngine, SqlWriter } from '../shared-sql/sql-writer.js';
import type { Dialect } from './dialect.js';
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
export function typeOrmWriter(entity: QueriedEntity, bind: Bind): SqlWriter<Part> {
  const { dialect } = entity;
  return {
    engine: engineOf(dialect),
    hasCollations: dialect.hasCollations,
    comparesAsFloat: dialect.isMysql,
    column: ({ name, relation }, of = relation) =>
      of ? () => relatedColumnSql(of, name, entity) : (alias) => `${alias}.${name}`,
    value(value) {
      // TypeORM writes numbers into the SQL of SQLite. SQLite would read Infinity as a column name.
      const isInfinite = value === Infinity || value === -Infinity;
      if (isInfinite && !dialect.isPostgres) return value < 0 ? '-9e999' : '9e999';
      return bind(bindable(value, dialect));
    },
    related(relation, condition) {
      const { from, on } = relatedTablesSql(relation, entity);
      const inherited = inheritanceSql(relation, entity, bind) ?? [];
      const joins: Part = (alias) => [...on(alias), inherited].flat().join(' and ');
      return [`(select 1 from ${from} where `, joins, ' and ', ...condition, ')'];
    },
  };
}

function engineOf({ isMysql, isPostgres }: Dialect): SqlEngine {
  if (isMysql) return 'mysql';
  return isPostgres ? 'postgresql' : 'sqlite';
}

function bindable(value: ColumnValue, { isPostgres }: Dialect): string | number | boolean | Date {
  if (typeof value === 'bigint') return value.toString();
  return isPostgres && value instanceof Date ? pgTimestamp(value) : value;
}
