import { HttpException } from '@nestjs/common';
import { TenantOptionError } from '../tenant.errors.js';
import { guardedEntityManager } from './guarded-entity-manager.js';
import { guardQuery } from './guarded-query.js';
import { guardedWrites } from './guarded-writes.js';
import type { OwnedEntities } from './owned-entities.js';
import type { Constructor, InternalManager, SqlDriver, SqlQuery } from './sql-internals.js';

/** A driver whose statements know the tenant. @throws TenantOptionError for a driver without SQL */
export function guardedDriver(
  Driver: Constructor<SqlDriver>,
  entities: OwnedEntities,
): Constructor<SqlDriver> {
  if (typeof (Driver.prototype as Partial<SqlDriver>).createQueryBuilder !== 'function') {
    throw new TenantOptionError(
      `guardTenants() needs a driver of SQL, but ${Driver.name} is none. Use one of ` +
        `@mikro-orm/postgresql or @mikro-orm/better-sqlite.`,
    );
  }
  return class GuardedDriver extends guardedWrites(Driver, entities) {
    private Manager?: Constructor<InternalManager>;

    override createEntityManager(useContext?: boolean) {
      entities.discover(this.metadata);
      if (!this.Manager) {
        const plain = super.createEntityManager(useContext);
        const Base = plain.constructor as Constructor<InternalManager>;
        this.Manager = guardedEntityManager(Base, entities);
        this.config.set('entityManager', this.Manager as never);
      }
      return super.createEntityManager(useContext);
    }

    /** Refusals stay what they are: an exception filter answers them. */
    override convertException(error: Error): Error {
      return isRefusal(error) ? error : super.convertException(error);
    }

    override createQueryBuilder(...args: unknown[]): SqlQuery {
      return guardQuery(super.createQueryBuilder(...args), entities);
    }
  };
}

function isRefusal(error: Error): boolean {
  const { code } = error as { code?: unknown };
  return error instanceof HttpException || (typeof code === 'string' && code.startsWith('TENANT_'));
}
