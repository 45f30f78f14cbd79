import type { MetadataStorage } from '@mikro-orm/core';
import { ReferenceKind, Utils } from '@mikro-orm/core';
import { checkTenantValue, guardedTenantId } from '../guard/guarded-tenant.js';
import { TenantOptionError, TenantUnguardedError } from '../tenant.errors.js';
import type { GuardTenantsOptions } from './guard-tenants.options.js';
import { isRaw } from './raw-sql.js';
import type { Metadata, Property, Row } from './sql-internals.js';

/** An entity with rows of tenants. */
export interface OwnedEntity {
  readonly property: string;
  /** `Note.tenantId` */
  readonly place: string;
  /** The tenant's id in the type of the property. */
  valueOf(tenantId: string): string | number;
  /**
   * A row with the tenant, checked where it has one.
   * @param key how the row names columns
   * @throws TenantRowMismatchError, TenantUnguardedError
   */
  filled(row: Row, tenantId: string, key: 'property' | 'column'): Row;
  /** Checks a row that need not name the tenant. @throws TenantRowMismatchError, TenantUnguardedError */
  check(row: Row, tenantId: string): void;
}

/** Which entities have rows of tenants. */
export class OwnedEntities {
  /** By class name. Undefined for shared entities. */
  private readonly known = new Map<string, OwnedEntity | undefined>();
  private readonly tables: { readonly name: string; readonly pattern: RegExp }[] = [];
  private readonly shared: ReadonlySet<string>;

  constructor(private readonly options: GuardTenantsOptions) {
    const names = options.shared ?? [];
    this.shared = new Set(names.map((one) => Utils.className(one)));
  }

  /** @throws TenantOptionError for an entity without the property that is not listed as shared */
  discover(metadata: MetadataStorage): void {
    const all = Object.values(metadata.getAll()) as Metadata[];
    for (const name of this.shared) {
      if (all.some(({ className }) => className === name)) continue;
      throw new TenantOptionError(
        `guardTenants({ shared }) names ${name}, which is no entity. Remove it.`,
      );
    }
    for (const meta of all) this.of(meta);
  }

  /**
   * Undefined for shared entities, and for what is no entity.
   * @throws TenantOptionError
   */
  of(meta: Metadata | undefined): OwnedEntity | undefined {
    if (!meta) return undefined;
    const { root } = meta;
    if (!this.known.has(root.className)) this.known.set(root.className, this.ownedOf(root));
    return this.known.get(root.className);
  }

  /** Whether `runCentral()` reads rows of all tenants. */
  get allowsAll(): boolean {
    return this.options.central === 'all';
  }

  /** The first table with rows of tenants that a text of SQL names. */
  namedIn(sql: string): string | undefined {
    return this.tables.find(({ pattern }) => pattern.test(sql))?.name;
  }

  /**
   * The tenant whose rows code may use. Undefined for all rows.
   * @throws TenantContextMissingError
   */
  tenantId(): string | undefined {
    return guardedTenantId(this.options, 'The tenant of a query');
  }

  private ownedOf(meta: Metadata): OwnedEntity | undefined {
    const { property: wanted = 'tenantId' } = this.options;
    if (!hasTable(meta) || this.shared.has(meta.className)) return undefined;
    const property = (meta.properties as Record<string, Property>)[wanted];
    const [column, ...more] = property?.fieldNames ?? [];
    if (
      !property ||
      column === undefined ||
      more.length > 0 ||
      property.kind !== ReferenceKind.SCALAR
    ) {
      throw new TenantOptionError(
        `${meta.className} has no column \`${wanted}\`. Add the property, or list the entity in ` +
          `guardTenants({ shared }) if its rows belong to no tenant.`,
      );
    }
    const entity = ownedEntity(meta, property, column);
    property.onCreate ??= () => {
      const tenantId = this.tenantId();
      return tenantId === undefined ? undefined : entity.valueOf(tenantId);
    };
    const { tableName: name } = meta;
    if (!meta.virtual)
      this.tables.push({ name, pattern: new RegExp(`(?<![\\w$])${escaped(name)}(?![\\w$])`, 'i') });
    return entity;
  }
}

/** Tables that link two entities have no property, and no data but their keys. */
function hasTable(meta: Metadata): boolean {
  return !meta.embeddable && !meta.abstract && !meta.pivotTable;
}

function ownedEntity(meta: Metadata, { name, runtimeType }: Property, column: string): OwnedEntity {
  const place = `${meta.className}.${name}`;
  /** More than one property may have the column. */
  const keys = new Set([column.toLowerCase(), name.toLowerCase()]);
  for (const one of meta.props) {
    if (one.fieldNames?.includes(column)) keys.add(one.name.toLowerCase());
  }
  const valueOf = (tenantId: string) => (runtimeType === 'number' ? Number(tenantId) : tenantId);
  const check = (row: Row, tenantId: string) => {
    const named = Object.entries(row).filter(
      ([key, value]) => isNamed(key, keys, place) && value !== undefined,
    );
    for (const [, value] of named) checkValue(value, tenantId, place);
    return named.length > 0;
  };
  return {
    property: name,
    place,
    valueOf,
    check: (row, tenantId) => void check(row, tenantId),
    filled: (row, tenantId, key) =>
      check(row, tenantId)
        ? row
        : { ...row, [key === 'property' ? name : column]: valueOf(tenantId) },
  };
}

function isNamed(key: string, keys: ReadonlySet<string>, place: string): boolean {
  if (!isRaw(key)) return keys.has(key.toLowerCase());
  throw new TenantUnguardedError(
    `A column by raw SQL, beside ${place}`,
    'it may be the column of the tenant',
    'Name the property',
  );
}

function checkValue(value: unknown, tenantId: string, place: string): void {
  if (!isRaw(value)) return checkTenantValue(value, tenantId, place);
  throw new TenantUnguardedError(
    `An expression for ${place}`,
    'its value is not known before the query runs',
    'Leave the property out: the guard fills it in',
  );
}

function escaped(name: string): string {
  return name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
