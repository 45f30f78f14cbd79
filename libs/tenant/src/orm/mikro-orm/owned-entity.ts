import { Type, types } from '@mikro-orm/core';
import { checkTenantValue } from '../guarded-tenant.js';
import {
  InvalidTenantError,
  TenantOptionError,
  TenantUnguardedError,
} from '../../tenant.errors.js';
import { isRaw } from './raw-sql.js';
import { entriesOf, type Metadata, type Property, type Row } from './sql-internals.js';

/** An entity with rows of tenants. */
export interface OwnedEntity {
  readonly property: string;
  /** The tenant's property, such as `Note.tenantId`. */
  readonly place: string;
  /** Converts the tenant's id to the type of the property. @throws InvalidTenantError */
  valueOf(tenantId: string): string | number;
  /**
   * Returns a row with the tenant. If the row already has a tenant, checks this tenant.
   * @param key the kind of the row's keys: properties or columns
   * @throws TenantRowMismatchError, TenantUnguardedError
   */
  filled(row: Row, tenantId: string, key: 'property' | 'column'): Row;
  /** Does nothing if the row has no tenant. @throws TenantRowMismatchError, TenantUnguardedError */
  check(row: Row, tenantId: string): void;
}

/** @throws TenantOptionError */
export function ownedEntity(meta: Metadata, property: Property, column: string): OwnedEntity {
  const { name } = property;
  const place = `${meta.className}.${name}`;
  refuseConversion(property, place);
  const keys = keysOf(meta, column);
  const valueOf = (tenantId: string) => valueIn(property, tenantId);
  /** Returns true if the row has the tenant, without counting relations. */
  const check = (row: Row, tenantId: string) => {
    let isFilled = false;
    for (const [key, value] of entriesOf(row)) {
      refuseRawKey(key, place);
      const position = keys.get(key.toLowerCase());
      if (position === undefined || value === undefined) continue;
      if (position === 'whole') {
        checkValue(value, tenantId, place);
        isFilled = true;
      } else if (value !== null) {
        // If the relation is null, MikroORM does not write the tenant's column for the relation.
        checkValue(partOf(value, position), tenantId, place);
      }
    }
    return isFilled;
  };
  return {
    property: name,
    place,
    valueOf,
    check: (row, tenantId) => void check(row, tenantId),
    filled(row, tenantId, key) {
      if (check(row, tenantId)) return row;
      const own = { [key === 'property' ? name : column]: valueOf(tenantId) };
      // Also at the start: insertMany() of MikroORM mixes up the values if a relation that is null
      // and has the same column comes first.
      return { ...own, ...row, ...own };
    },
  };
}

/**
 * MikroORM converts the values of some statements, but not of others.
 * @throws TenantOptionError if a type of the application converts the tenant
 */
function refuseConversion({ customType: type }: Property, place: string): void {
  // Most built-in types have no `customType`.
  if (!type || Object.values<unknown>(types).includes(type.constructor)) return;
  const converts = (['convertToDatabaseValue', 'convertToDatabaseValueSQL'] as const).some(
    (method) => type[method] !== Type.prototype[method],
  );
  if (!converts) return;
  throw new TenantOptionError(
    `The type of \`${place}\` converts the tenant's id for the database, so guardTenants() cannot ` +
      `compare this id. Use \`type: 'text'\`, and convert the id in \`tenantId\` of your store.`,
  );
}

/**
 * The keys of the tenant in rows: the column, and each property with this column. The value is the
 * position of the tenant in the value of a key. A relation may have a key of several columns.
 */
function keysOf(meta: Metadata, column: string): ReadonlyMap<string, number | 'whole'> {
  const keys = new Map<string, number | 'whole'>([[column.toLowerCase(), 'whole']]);
  for (const { name, fieldNames = [] } of meta.props) {
    const position = fieldNames.indexOf(column);
    if (position === -1) continue;
    keys.set(name.toLowerCase(), fieldNames.length === 1 ? 'whole' : position);
  }
  return keys;
}

/** Returns the value of one column of a key. Keys of several columns are lists, which may be nested. */
export function partOf(value: unknown, position: number): unknown {
  return Array.isArray(value) ? value.flat(Infinity)[position] : value;
}

/** In columns of these types, `01` and `1.0` would be the tenant `1`. */
const NUMERIC =
  /^((big|medium|small|tiny)?int(eger|[248])?|(big|small)?serial|numeric|decimal|real|float|double)\b/i;
const WHOLE_NUMBER = /^(0|[1-9]\d*)$/;
/** In columns of this type, ids in upper case or without hyphens would be the same tenant. */
const UUID_TYPE = /^uuid$/i;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** @throws InvalidTenantError */
function valueIn({ runtimeType, columnTypes }: Property, tenantId: string): string | number {
  const value = runtimeType === 'number' ? Number(tenantId) : tenantId;
  const [columnType = ''] = columnTypes ?? [];
  const isNumeric = runtimeType === 'number' || NUMERIC.test(columnType);
  const isWrong =
    (isNumeric && !(WHOLE_NUMBER.test(tenantId) && String(value) === tenantId)) ||
    (UUID_TYPE.test(columnType) && !UUID.test(tenantId));
  if (isWrong) throw new InvalidTenantError('The input');
  return value;
}

function refuseRawKey(key: string, place: string): void {
  if (!isRaw(key)) return;
  throw new TenantUnguardedError(
    `Raw SQL as a column name for the table of \`${place}\``,
    'the raw SQL may be the column with the tenant',
    'Use the name of the property',
  );
}

function checkValue(value: unknown, tenantId: string, place: string): void {
  if (!isRaw(value)) return checkTenantValue(value, tenantId, place);
  throw new TenantUnguardedError(
    `An expression for \`${place}\``,
    'the value of the expression is unknown before the query runs',
    'Omit the property, because the guard sets the tenant',
  );
}
