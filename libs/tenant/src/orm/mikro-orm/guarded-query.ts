import { TenantUnguardedError } from '../../tenant.errors.js';
import { refuseChange } from './guarded-links.js';
import type { OwnedEntities } from './owned-entities.js';
import type { OwnedEntity } from './owned-entity.js';
import {
  checkFormatted,
  checkFragment,
  checkRawIn,
  checkSql,
  checkTenantOf,
  ignoringColumnsOf,
  madeFor,
  markMade,
  markMadeIn,
  type NamedTables,
  needsTenant,
  withParentheses,
} from './raw-sql.js';
import {
  type Alias,
  type BuiltFor,
  builderOf,
  conditionalUpserts,
  entriesOf,
  formulasIn,
  findMetadata,
  type NativeQuery,
  type QueryState,
  refOf,
  requireQuery,
  type Row,
  type SqlQuery,
  stateOf,
} from './sql-internals.js';

/**
 * Adds the tenant to a QueryBuilder when the QueryBuilder builds its SQL. MikroORM also uses
 * QueryBuilders for almost all of its own statements. The methods are set on the instance, because
 * the class of the instance is not known in advance.
 */
export function guardQuery(query: SqlQuery, entities: OwnedEntities): SqlQuery {
  requireQuery(query);
  const plain = Object.getPrototypeOf(query) as SqlQuery;
  const build = builderOf(query);
  return Object.assign(query, ofVersion7(plain, entities), {
    finalize(this: SqlQuery) {
      const state = stateOf(this);
      if (state.finalized) return;
      addTenant(this, entities);
      plain.finalize.call(this);
      // MikroORM may add conditions from clones of this query. These conditions are marked as
      // checked. Other clones are checked again.
      markMadeIn(state.cond, this.fledgeTenant);
    },
    [build](this: SqlQuery, ...args: unknown[]) {
      checkTenantOf(this.fledgeTenant, entities);
      const built: object = plain[build]!.apply(this, args);
      return markMade(withMarkedRaw(built, this.fledgeTenant), this.fledgeTenant);
    },
    toQuery(this: SqlQuery) {
      checkTenantOf(this.fledgeTenant, entities);
      return plain.toQuery.call(this);
    },
    execute(this: SqlQuery, ...args: unknown[]) {
      checkTenantOf(this.fledgeTenant, entities);
      return plain.execute.apply(this, args);
    },
    clone(this: SqlQuery, ...args: unknown[]) {
      // For `$some`, MikroORM creates a clone without the state of the query.
      const copy = plain.clone.apply(this, args);
      copy.fledgeTenant = args[0] === true ? undefined : this.fledgeTenant;
      return Object.hasOwn(copy, 'finalize') ? copy : guardQuery(copy, entities);
    },
  });
}

function ofVersion7(plain: SqlQuery, entities: OwnedEntities): Partial<SqlQuery> {
  if (!plain.buildUnionQuery) return {};
  return {
    toRaw(this: SqlQuery) {
      return markMade(plain.toRaw!.call(this), this.fledgeTenant);
    },
    buildUnionQuery(this: SqlQuery, separator: string, others: readonly object[]) {
      const parts = [this, ...others] as SqlQuery[];
      for (const part of parts) checkRawIn(part, entities);
      const union = plain.buildUnionQuery!.call(this, separator, others);
      for (const part of parts) union.fledgeTenant ??= part.fledgeTenant ?? madeFor(part);
      return union;
    },
  };
}

/** In MikroORM 7, also marks the raw SQL of a query. */
function withMarkedRaw<Q extends object>(query: Q, tenant: BuiltFor | undefined): Q {
  const { toRaw } = Object.getPrototypeOf(query) as Partial<NativeQuery>;
  if (!toRaw) return query;
  return Object.assign(query, {
    toRaw(this: NativeQuery) {
      return markMade(toRaw.call(this), tenant);
    },
  });
}

function addTenant(query: SqlQuery, entities: OwnedEntities): void {
  // Adds the joins of `populate`, once.
  query.processPopulateHint();
  refuseLinks(query, entities);
  const state = stateOf(query);
  const isOwned = hasOwned(state, entities);
  if (!isOwned && !needsTenant((tables) => checkRaw(query, tables), entities)) return;
  const id = entities.tenantId();
  checkTenantOf(query.fledgeTenant, entities);
  query.fledgeTenant = { id };
  if (id === undefined) return;
  checkRaw(query, entities);
  state.cond = withParentheses(state.cond);
  guardJoins(state, entities, id);
  const { mainAlias } = query;
  const main = entities.of(findMetadata(mainAlias));
  if (main && mainAlias.subQuery === undefined) guardMain(query, main, id);
}

/** The driver checks MikroORM's own changes of relations. @throws TenantUnguardedError */
function refuseLinks({ em, driver, mainAlias, type }: SqlQuery, entities: OwnedEntities): void {
  const metadata = findMetadata(mainAlias);
  if (em && metadata && CHANGES.has(type)) refuseChange(driver, entities, refOf(metadata));
}

const CHANGES: ReadonlySet<unknown> = new Set(['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE']);

function hasOwned({ aliases, insertSubQuery }: QueryState, entities: OwnedEntities): boolean {
  return (
    Object.values(aliases).some((alias) => entities.of(findMetadata(alias))) ||
    (insertSubQuery !== undefined && hasOwned(stateOf(insertSubQuery), entities))
  );
}

const WITH_RAW = [
  'fields',
  'distinctOn',
  'cond',
  'groupBy',
  'having',
  'orderBy',
  'limit',
  'offset',
  'lockTables',
  'data',
  'returning',
] as const;

function checkRaw(query: SqlQuery, all: NamedTables): void {
  const state = stateOf(query);
  const tables = ignoringColumnsOf(Object.keys(state.aliases), all);
  for (const part of WITH_RAW) checkRawIn(state[part], tables);
  checkRawIn(query.mainAlias.subQuery, tables);
  for (const { query: expression } of state.ctes ?? []) checkRawIn(expression, tables);
  if (state.indexHint !== undefined) checkFragment({ sql: state.indexHint, params: [] }, tables);
  for (const alias of Object.values(state.aliases)) checkAlias(alias, tables);
  for (const { fields, where, merge } of state.onConflict ?? []) {
    checkRawIn([fields, where, merge], tables);
  }
  for (const sql of Object.values(state.subQueries)) checkFormatted(sql, tables);
  for (const { cond, subquery, table, prop } of Object.values(state.joins)) {
    checkRawIn(cond, tables);
    if (subquery !== undefined) checkFormatted(subquery, tables);
    else if (prop.name === '__subquery__') checkSql(table ?? '', tables);
  }
}

function checkAlias(alias: Alias, tables: NamedTables): void {
  if (alias.rawTableName !== undefined) checkSql(alias.rawTableName, tables);
  const metadata = findMetadata(alias);
  for (const formula of metadata ? formulasIn(metadata) : []) {
    if (typeof formula === 'string') checkSql(formula, tables);
    else checkRawIn(formula, tables);
  }
}

function guardJoins({ joins, aliases }: QueryState, entities: OwnedEntities, id: string): void {
  for (const join of Object.values(joins)) {
    const alias = aliases[join.alias];
    const owned = alias && entities.of(findMetadata(alias));
    if (!owned || join.subquery !== undefined || join.fledgeGuarded) continue;
    join.fledgeGuarded = true;
    const own = { [`${join.alias}.${owned.property}`]: owned.valueOf(id) };
    join.cond = both(join.cond, own);
    if (join.cond_) join.cond_ = both(join.cond_, own);
  }
}

/** MikroORM adds keys to join conditions. They must not replace the tenant's condition. */
function both(caller: Row, own: Row): Row {
  const condition = withParentheses(caller);
  return { $and: entriesOf(condition).length > 0 ? [condition, own] : [own] };
}

function guardMain(query: SqlQuery, owned: OwnedEntity, tenantId: string): void {
  const state = stateOf(query);
  const own = { [owned.property]: owned.valueOf(tenantId) };
  if (query.type === 'TRUNCATE') {
    throw new TenantUnguardedError(
      `Truncating the table of \`${owned.place}\``,
      'TRUNCATE deletes the rows of all tenants',
      'Use nativeDelete()',
    );
  }
  if (query.type !== 'INSERT') {
    for (const row of rowsOf(state)) owned.check(row, tenantId);
    query.andWhere(own);
    return;
  }
  refuseCopies(state, owned);
  if (Array.isArray(state.data))
    state.data = state.data.map((r) => owned.filled(r, tenantId, 'column'));
  else state.data = owned.filled(state.data ?? {}, tenantId, 'column');
  for (const conflict of state.onConflict ?? []) {
    if (!('merge' in conflict)) continue;
    refuseUnconditional(query, owned);
    checkMerge(conflict.merge, owned, tenantId);
    const where = query.helper.processOnConflictCondition({ ...own }, state.schema);
    conflict.where = conflict.where ? { $and: [conflict.where, where] } : where;
  }
}

/** @throws TenantUnguardedError if em.clone() or insertFrom() of MikroORM 7 is used */
function refuseCopies({ insertSubQuery }: QueryState, { place }: OwnedEntity): void {
  if (insertSubQuery === undefined) return;
  throw new TenantUnguardedError(
    `Copying rows inside the database into the table of \`${place}\``,
    'the guard cannot find the tenant in the copied values',
    'Read the rows, then insert them',
  );
}

/**
 * @throws TenantUnguardedError if an upsert overwrites existing rows. These rows may belong to
 * another tenant
 */
function refuseUnconditional(query: SqlQuery, { place }: OwnedEntity): void {
  const conditional = conditionalUpserts(query.platform.constructor);
  if (conditional === 'all' || (conditional === 'one' && rowsOf(stateOf(query)).length < 2)) return;
  throw new TenantUnguardedError(
    `An upsert${conditional === 'one' ? ' of several rows' : ''} into the table of \`${place}\``,
    'the upsert overwrites the row with the same key, and this row may belong to another tenant',
    conditional === 'one'
      ? 'Call em.upsert() for each row'
      : 'Read the row first, then insert or update it',
  );
}

/** If `merge` is an array, it contains column names. Their values come from the inserted row. */
function checkMerge(merge: unknown, owned: OwnedEntity, tenantId: string): void {
  if (typeof merge !== 'object' || merge === null || Array.isArray(merge)) return;
  owned.check(merge as Row, tenantId);
}

function rowsOf({ data = [] }: QueryState): Row[] {
  return Array.isArray(data) ? data : [data];
}
