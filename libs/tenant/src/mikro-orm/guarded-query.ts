import { TenantRowMismatchError, TenantUnguardedError } from '../tenant.errors.js';
import type { OwnedEntities, OwnedEntity } from './owned-entities.js';
import { checkFormatted, checkRawIn, checkSql, markMade, withParentheses } from './raw-sql.js';
import type { Metadata, SqlQuery } from './sql-internals.js';

/** Platforms whose `on conflict do update` takes a condition. Knex drops it on SQLite for more than one row. */
const CONDITIONAL_UPSERT = /postgre/i;
const CONDITIONAL_UPSERT_OF_ONE = /sqlite|libsql/i;

/**
 * Adds the tenant to a QueryBuilder when its SQL is built. MikroORM runs nearly all of its own statements through one too.
 * The methods are properties of the instance, because `clone()` copies those.
 */
export function guardQuery(query: SqlQuery, entities: OwnedEntities): SqlQuery {
  const plain = Object.getPrototypeOf(query) as SqlQuery;
  return Object.assign(query, {
    finalize(this: SqlQuery) {
      if (this.finalized) return;
      addTenant(this, entities);
      plain.finalize.call(this);
    },
    getKnexQuery(this: SqlQuery, ...args: unknown[]) {
      checkBuiltFor(this, entities);
      return markMade(plain.getKnexQuery.apply(this, args));
    },
    toQuery(this: SqlQuery) {
      checkBuiltFor(this, entities);
      return plain.toQuery.call(this);
    },
    execute(this: SqlQuery, ...args: unknown[]) {
      checkBuiltFor(this, entities);
      return plain.execute.apply(this, args);
    },
    clone(this: SqlQuery, ...args: unknown[]) {
      // `clone(true)` copies no properties. Conditions with `$some` are made of such clones.
      const copy = plain.clone.apply(this, args);
      return Object.hasOwn(copy, 'finalize') ? copy : guardQuery(copy, entities);
    },
  });
}

/** @throws TenantRowMismatchError for a query that another tenant built */
function checkBuiltFor({ fledgeTenant }: SqlQuery, entities: OwnedEntities): void {
  if (fledgeTenant !== undefined && fledgeTenant.id !== entities.tenantId()) {
    throw new TenantRowMismatchError('A query that was built before');
  }
}

function addTenant(query: SqlQuery, entities: OwnedEntities): void {
  // Adds the joins of `populate`, once.
  query.processPopulateHint();
  const aliases = Object.values(query._aliases);
  if (!aliases.some(({ metadata }) => entities.of(metadata)) && !hasRaw(query, entities)) return;
  const id = entities.tenantId();
  checkBuiltFor(query, entities);
  query.fledgeTenant = { id };
  if (id === undefined) return;
  checkRaw(query, entities);
  query._cond = withParentheses(query._cond);
  guardJoins(query, entities, id);
  const { mainAlias } = query;
  const main = entities.of(mainAlias.metadata);
  if (main && mainAlias.subQuery === undefined) guardMain(query, main, id);
}

/** Raw SQL that names a table of tenants, in a query of shared entities. */
function hasRaw(query: SqlQuery, entities: OwnedEntities): boolean {
  try {
    checkRaw(query, entities);
    return false;
  } catch {
    return true;
  }
}

function checkRaw(query: SqlQuery, entities: OwnedEntities): void {
  const parts = query as unknown as Record<string, unknown>;
  for (const name of ['_fields', '_cond', '_having', '_orderBy', '_groupBy', '_data']) {
    checkRawIn(parts[name], entities);
  }
  checkRawIn(query.mainAlias.subQuery, entities);
  for (const { metadata } of Object.values(query._aliases)) {
    for (const sql of metadata ? formulasOf(metadata) : []) checkSql(sql, entities);
  }
  for (const { where, merge } of query._onConflict ?? []) checkRawIn([where, merge], entities);
  for (const sql of Object.values(query.subQueries)) checkFormatted(sql, entities);
  for (const { cond, subquery } of Object.values(query._joins)) {
    checkRawIn(cond, entities);
    if (subquery !== undefined) checkFormatted(subquery, entities);
  }
}

const formulas = new WeakMap<object, readonly string[]>();

/** The SQL of an entity's formulas. MikroORM adds it after the check. */
function formulasOf(metadata: Metadata): readonly string[] {
  const known = formulas.get(metadata);
  if (known) return known;
  const table = { alias: '', name: '', qualifiedName: '', toString: () => '' };
  const all = metadata.props.flatMap(({ formula }) =>
    formula ? [formula(table, metadata.createColumnMappingObject() as never)] : [],
  );
  formulas.set(metadata, all);
  return all;
}

function guardJoins(query: SqlQuery, entities: OwnedEntities, tenantId: string): void {
  const done = new Set(query.fledgeJoins);
  for (const join of Object.values(query._joins)) {
    const owned = entities.of(query._aliases[join.alias]?.metadata);
    if (!owned || join.subquery !== undefined || done.has(join.alias)) continue;
    done.add(join.alias);
    const caller = withParentheses(join.cond);
    const condition = { [`${join.alias}.${owned.property}`]: owned.valueOf(tenantId) };
    join.cond = Object.keys(caller).length > 0 ? { $and: [caller, condition] } : condition;
  }
  query.fledgeJoins = done;
}

function guardMain(query: SqlQuery, owned: OwnedEntity, tenantId: string): void {
  const own = { [owned.property]: owned.valueOf(tenantId) };
  if (query.type === 'TRUNCATE') {
    throw new TenantUnguardedError(
      `Truncating the table of ${owned.place}`,
      'it deletes the rows of every tenant',
      'Use nativeDelete()',
    );
  }
  if (query.type !== 'INSERT') {
    for (const row of rowsOf(query)) owned.check(row, tenantId);
    query.andWhere(own);
    return;
  }
  if (Array.isArray(query._data))
    query._data = query._data.map((r) => owned.filled(r, tenantId, 'column'));
  else query._data = owned.filled(query._data ?? {}, tenantId, 'column');
  for (const conflict of query._onConflict ?? []) {
    if (!('merge' in conflict)) continue;
    refuseUnconditional(query, owned);
    checkMerge(conflict.merge, owned, tenantId);
    const where = query.helper.processOnConflictCondition({ ...own }, query._schema);
    conflict.where = conflict.where ? { $and: [conflict.where, where] } : where;
  }
}

/** @throws TenantUnguardedError for an upsert that overwrites a row of any tenant */
function refuseUnconditional(query: SqlQuery, { place }: OwnedEntity): void {
  const { name } = query.platform.constructor;
  if (CONDITIONAL_UPSERT.test(name)) return;
  const isOfOne = CONDITIONAL_UPSERT_OF_ONE.test(name);
  if (isOfOne && rowsOf(query).length < 2) return;
  throw new TenantUnguardedError(
    `An upsert${isOfOne ? ' of several rows' : ''} beside ${place}`,
    'it overwrites the row with the same key, which may be of another tenant',
    isOfOne ? 'Call em.upsert() for each' : 'Read the row first, then insert or update it',
  );
}

/** An array names columns, whose values are those of the inserted row. */
function checkMerge(merge: unknown, owned: OwnedEntity, tenantId: string): void {
  if (typeof merge !== 'object' || merge === null || Array.isArray(merge)) return;
  owned.check(merge as Record<string, unknown>, tenantId);
}

function rowsOf({ _data: data = [] }: SqlQuery): Record<string, unknown>[] {
  return Array.isArray(data) ? data : [data];
}
