import { DatabaseDriver } from '@mikro-orm/core';
import { HttpException } from '@nestjs/common';
import { TenantOptionError } from '../../tenant.errors.js';
import { guardedEntityManager } from './guarded-entity-manager.js';
import { guardQuery } from './guarded-query.js';
import { guardedWrites } from './guarded-writes.js';
import type { OwnedEntities } from './owned-entities.js';
import {
  type Constructor,
  DRIVER_METHODS,
  type InternalManager,
  requireMethods,
  type SqlDriver,
  type SqlQuery,
} from './sql-internals.js';

/** @throws TenantOptionError if the driver cannot be guarded */
export function guardedDriver(
  Driver: Constructor<SqlDriver>,
  entities: OwnedEntities,
): Constructor<SqlDriver> {
  checkDriver(Driver);
  return class GuardedDriver extends guardedWrites(Driver, entities) {
    private Manager?: Constructor<InternalManager>;
    private isRenderingIndex = false;

    override createEntityManager(useContext?: boolean) {
      entities.discover(this.metadata);
      if (!this.Manager) {
        const { constructor: Base } = super.createEntityManager(useContext);
        this.Manager = guardedEntityManager(Base as Constructor<InternalManager>, entities);
        this.config.set('entityManager', this.Manager as never);
      }
      return super.createEntityManager(useContext);
    }

    /** Returns errors of this package unchanged, because exception filters must recognize them. */
    override convertException(error: Error): Error {
      return isRefusal(error) ? error : super.convertException(error);
    }

    override createQueryBuilder(...args: unknown[]): SqlQuery {
      const query = super.createQueryBuilder(...args);
      return this.isRenderingIndex ? query : guardQuery(query, entities);
    }

    /** Returns the condition unchanged. An index contains the rows of all tenants. */
    override renderPartialIndexWhere(...args: unknown[]): string {
      this.isRenderingIndex = true;
      try {
        return super.renderPartialIndexWhere!(...args);
      } finally {
        this.isRenderingIndex = false;
      }
    }
  };
}

/**
 * @throws TenantOptionError if the driver has no SQL, or belongs to another MikroORM installation
 * @throws TenantPeerVersionError if the driver lacks a method that the guard overrides
 */
function checkDriver(Driver: Constructor<SqlDriver>): void {
  if (typeof (Driver.prototype as Partial<SqlDriver>).createQueryBuilder !== 'function') {
    throw new TenantOptionError(
      `guardTenants() requires an SQL driver, but ${Driver.name} does not use SQL. Use the ` +
        `driver of @mikro-orm/postgresql or @mikro-orm/sqlite ` +
        `(in MikroORM 6, @mikro-orm/better-sqlite).`,
    );
  }
  if (!(Driver.prototype instanceof DatabaseDriver)) {
    throw new TenantOptionError(
      `${Driver.name} and @fledge/tenant use different installations of @mikro-orm/core, so ` +
        `guardTenants() cannot recognize raw SQL. Install only one version. To find the ` +
        `installed versions, run: npm ls @mikro-orm/core`,
    );
  }
  requireMethods(DRIVER_METHODS, Driver.prototype, Driver.name);
}

function isRefusal(error: Error): boolean {
  const { code } = error as { code?: unknown };
  return error instanceof HttpException || (typeof code === 'string' && code.startsWith('TENANT_'));
}
