import { kind, listOf, type OptionTable, readOptions } from '@fledge-internal/options';
import { GUARD_RULES } from '../guarded-tenant.js';
import { filledName, placeOf } from '../../option-rules.js';
import { TenantOptionError } from '../../tenant.errors.js';
import type { GuardTenantsOptions, SharedEntity } from './guard-tenants.options.js';
import { guardedDriver } from './guarded-driver.js';
import { OwnedEntities } from './owned-entities.js';
import type { Constructor, SqlDriver } from './sql-internals.js';

/** The configuration that `guardTenants()` changes. */
export interface TenantGuardedConfig {
  /** The driver's class. Required here, because MikroORM's own packages set the driver too late. */
  readonly driver?: unknown;
}

const OPTIONS = {
  ...GUARD_RULES,
  shared: listOf(kind<SharedEntity>('an entity', Boolean).required).default([]),
  property: filledName.default('tenantId'),
} satisfies OptionTable<GuardTenantsOptions>;

/**
 * Returns a configuration with a guarded driver. The entity manager and its query builder then read
 * and write only rows of the current tenant. The driver also sets the tenant of new rows. Protects
 * against a forgotten condition, but not against code that bypasses MikroORM.
 *
 * @example
 * ```ts
 * MikroORM.init(guardTenants({ driver: PostgreSqlDriver, entities: [Note, Country] }, { shared: [Country] }));
 * ```
 * @throws TenantOptionError if an option is invalid, if `driver` is missing, or if the driver has
 * no SQL. MikroORM throws the same error at startup if an entity lacks the property. Queries throw
 * TenantContextMissingError, TenantRowMismatchError and TenantUnguardedError.
 */
export function guardTenants<C extends TenantGuardedConfig>(
  config: C,
  options: GuardTenantsOptions = {},
): C {
  // The configuration can be missing if the application is written in JavaScript.
  if (typeof (config as C | undefined)?.driver !== 'function') {
    throw new TenantOptionError(
      'guardTenants() requires `driver` in the configuration. Set the driver, for example ' +
        '`driver: PostgreSqlDriver`.',
    );
  }
  const entities = new OwnedEntities(readOptions(options, OPTIONS, placeOf('guardTenants')));
  const driver = guardedDriver(config.driver as Constructor<SqlDriver>, entities);
  // Off, because a batch update selects rows only by key. The guard cannot add the tenant.
  return { ...config, driver, useBatchUpdates: false };
}
