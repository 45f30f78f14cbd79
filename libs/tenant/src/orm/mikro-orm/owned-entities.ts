import type { MetadataStorage } from '@mikro-orm/core';
import { ReferenceKind, Utils } from '@mikro-orm/core';
import { compileTablePattern } from '../closed-parentheses.js';
import { guardedTenantId } from '../guarded-tenant.js';
import { TenantOptionError } from '../../tenant.errors.js';
import type { GuardTenantsOptions, SharedEntity } from './guard-tenants.options.js';
import { ownedEntity, type OwnedEntity } from './owned-entity.js';
import type { Metadata, Property } from './sql-internals.js';

/** Finds the entities with rows of tenants, and checks at startup that each has the property. */
export class OwnedEntities {
  /**
   * The entities by metadata. If there is inheritance, the key is the metadata of the root entity.
   * The value is undefined for shared entities.
   */
  private readonly known = new Map<Metadata, OwnedEntity | undefined>();
  private readonly tables: { readonly name: string; readonly pattern: RegExp }[] = [];
  private shared: ReadonlySet<Metadata> = new Set();

  constructor(private readonly options: Required<GuardTenantsOptions>) {}

  /** @throws TenantOptionError if an entity lacks the property and is not in `shared` */
  discover(metadata: MetadataStorage): void {
    this.shared = new Set(this.options.shared.map((one) => sharedOf(one, metadata)));
    const all = [...(metadata as Iterable<Metadata>)];
    // Entities are checked first, because their errors are more helpful than the errors of link
    // tables.
    for (const meta of all) if (!meta.pivotTable) this.of(meta);
    for (const meta of all) this.of(meta);
  }

  /**
   * Returns undefined for shared entities, and for metadata of other classes.
   * @throws TenantOptionError
   */
  of(meta: Metadata | undefined): OwnedEntity | undefined {
    if (!meta) return undefined;
    const { root } = meta;
    if (!this.known.has(root)) this.known.set(root, this.ownedOf(root));
    const owned = this.known.get(root);
    if (owned) refuseParts(meta);
    return owned;
  }

  /** True if `runCentral()` may use the rows of all tenants. */
  get allowsAll(): boolean {
    return this.options.central === 'all';
  }

  /** Returns the first table of tenants whose name is in the SQL. */
  namedIn(sql: string): string | undefined {
    return this.tables.find(({ pattern }) => pattern.test(sql))?.name;
  }

  /** Returns undefined if the rows of all tenants may be used. @throws TenantContextMissingError */
  tenantId(): string | undefined {
    return guardedTenantId(this.options, 'A query');
  }

  private ownedOf(meta: Metadata): OwnedEntity | undefined {
    const { property: wanted } = this.options;
    if (!hasTable(meta) || this.shared.has(meta)) return undefined;
    const property = (meta.properties as Record<string, Property>)[wanted];
    const [column, ...more] = property?.fieldNames ?? [];
    if (
      !property ||
      column === undefined ||
      more.length > 0 ||
      property.kind !== ReferenceKind.SCALAR
    ) {
      throw new TenantOptionError(
        `The entity ${meta.className} has no column for the property \`${wanted}\`. Add this ` +
          `property, or list the entity in guardTenants({ shared }) if its rows belong to no ` +
          `tenant.`,
      );
    }
    const entity = ownedEntity(meta, property, column);
    property.onCreate ??= () => {
      const tenantId = this.tenantId();
      return tenantId === undefined ? undefined : entity.valueOf(tenantId);
    };
    const { tableName: name } = meta;
    if (!meta.virtual) this.tables.push({ name, pattern: compileTablePattern(name) });
    return entity;
  }
}

/** @throws TenantOptionError if a name is not an entity */
function sharedOf(name: SharedEntity, metadata: MetadataStorage): Metadata {
  const found = metadata.find(name as never) as Metadata | undefined;
  if (found) return found;
  throw new TenantOptionError(
    `guardTenants({ shared }) lists ${Utils.className(name as string)}, which is not an entity. ` +
      'Remove this name from the list.',
  );
}

/**
 * Rejects two features of MikroORM 7: an entity in several tables, and one link table for several
 * entities. Only one of the tables would have the tenant.
 * @throws TenantOptionError
 */
function refuseParts({ className, inheritanceType, props }: ManyTables): void {
  if (inheritanceType === 'tpt') {
    throw new TenantOptionError(
      `The entity ${className} has a separate table for each of its types. guardTenants() cannot ` +
        `filter these tables. Use one table with a discriminator for all types, or list the ` +
        `entity in guardTenants({ shared }) and filter by tenant yourself.`,
    );
  }
  const relation = props.find(({ kind, polymorphic }) => {
    return kind === ReferenceKind.MANY_TO_MANY && polymorphic;
  });
  if (!relation) return;
  throw new TenantOptionError(
    `The relation ${className}.${relation.name} links entities of several types through one ` +
      `table. guardTenants() cannot check this table. Use a separate relation for each type.`,
  );
}

/** Metadata of MikroORM 7. */
interface ManyTables extends Pick<Metadata, 'className'> {
  readonly inheritanceType?: string;
  readonly props: readonly (Pick<Property, 'kind' | 'name'> & { readonly polymorphic?: unknown })[];
}

function hasTable(meta: Metadata): boolean {
  return !meta.embeddable && !meta.abstract && !isLinkTable(meta);
}

/** A link table of MikroORM contains only the keys of the entities. */
function isLinkTable({ pivotTable, props }: Metadata): boolean {
  if (!pivotTable) return false;
  return props.every(({ name, kind, primary }) =>
    kind === ReferenceKind.MANY_TO_ONE ? /_(owner|inverse)$/.test(name) : primary,
  );
}
