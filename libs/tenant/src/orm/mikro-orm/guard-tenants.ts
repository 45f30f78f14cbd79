import { kind, type OptionTable, readOptions, text } from '@fledge-internal/options';
import { GUARD_RULES } from '../guarded-tenant.js';
import { placeOf } from '../../option-rules.js';
import { TenantOptionError } from '../../tenant.errors.js';
import type { GuardTenantsOptions } from './guard-tenants.options.js';
import { guardedDriver } from './guarded-driver.js';
import { OwnedEntities } from './owned-entities.js';
import type { Constructor, SqlDriver } from './sql-internals.js';

/** The configuration that `guardTenants()` changes. */
export interface TenantGuardedConfig {
  /** The driver's class. Required, because MikroORM's packages set it too late. */
  readonly driver?: unknown;
}

const OPTIONS = {
  ...GUARD_RULES,
  shared: kind<NonNullable<GuardTenantsOptions['shared']>>(
    'a list of entities',
    Array.isArray,
  ).default([]),
  property: text.default('tenantId'),
} satisfies OptionTable<GuardTenantsOptions>;

/**
 * Returns a configuration whose driver filters rows by the current tenant when the entity manager
 * or its query builder reads or writes them, and sets the tenant of new rows. Protects against
 * forgetting the tenant, not against code that bypasses MikroORM.
 *
 * @example
 * ```ts
 * MikroORM.init(guardTenants({ driver: PostgreSqlDriver, entities: [Note, Country] }, { shared: [Country] }));
 * ```
 * @throws TenantOptionError for an invalid option, without `driver`, or for a driver without SQL;
 * and at startup, for an entity without the property. Queries throw TenantContextMissingError,
 * TenantRowMismatchError and TenantUnguardedError.
 */
export function guardTenants<C extends TenantGuardedConfig>(
  config: C,
  options: GuardTenantsOptions = {},
): C {
  if (typeof config.driver !== 'function') {
    throw new TenantOptionError(
      'guardTenants() requires `driver` in the configuration. Set it, such as `driver: PostgreSqlDriver`.',
    );
  }
  const entities = new OwnedEntities(readOptions(options, OPTIONS, placeOf('guardTenants')));
  const driver = guardedDriver(config.driver as Constructor<SqlDriver>, entities);
  // A batch update is one statement that selects rows by key, so the tenant cannot be added.
  return { ...config, driver, useBatchUpdates: false };
}
