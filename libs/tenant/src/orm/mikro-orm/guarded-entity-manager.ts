import { type ForkOptions, raw } from '@mikro-orm/core';
import { currentScope, type TenantScope } from '../../scope/tenant-scope.js';
import { TenantUnguardedError } from '../../tenant.errors.js';
import type { OwnedEntities } from './owned-entities.js';
import { checkNames, checkRawIn } from './raw-sql.js';
import {
  type Constructor,
  type InternalManager,
  MANAGER_METHODS,
  requireMethods,
} from './sql-internals.js';

/**
 * The owner of each entity manager: the code that used the manager first. Other code must not use
 * the rows, the changes and the transaction of the manager.
 */
const holders = new WeakMap<object, Holder>();
/** The entity managers of each driver, by scope. */
const forks = new WeakMap<object, WeakMap<object, InternalManager>>();

/**
 * The owner of rows. `all` is for `runCentral()` with `central: 'all'`. `nobody` is for shared
 * entities only.
 */
interface Holder {
  readonly kind: 'tenant' | 'all' | 'nobody';
  readonly id?: string;
}

/**
 * Returns an EntityManager class. The identity map of each manager belongs to one tenant. The root
 * manager uses a fork for each scope of a tenant.
 */
export function guardedEntityManager(
  Base: Constructor<InternalManager>,
  entities: OwnedEntities,
): Constructor<InternalManager> {
  requireMethods(MANAGER_METHODS, Base.prototype as object, Base.name);
  return class GuardedEntityManager extends withoutRawSql(withOwnCache(Base, entities), entities) {
    /** True if `getContext()` may return the entity manager of the request. */
    private readonly findsContext: boolean;

    constructor(...args: never[]) {
      super(...args);
      this.findsContext = args[USE_CONTEXT] ?? true;
    }

    override getContext(validate = true): InternalManager {
      const holder = currentHolder(entities);
      if (!this.findsContext) return held(this, holder);
      const found = super.getContext(false);
      const isRoot = found.global === true;
      if (isRoot && !hasOwnFork()) return super.getContext(validate);
      if (!isRoot && isHeldBy(found, holder)) return held(found, holder);
      return this.forkOfScope(holder);
    }

    override fork(options: ForkOptions = {}): this {
      const fork = super.fork(options);
      const holder = options.clear === false ? holders.get(super.getContext(false)) : undefined;
      return unusedFork(fork, holder);
    }

    private forkOfScope(holder: Holder): InternalManager {
      const ofScope = forksOf(this.getDriver());
      const scope = ownScope();
      const fork = ofScope.get(scope) ?? super.fork({ disableContextResolution: true });
      ofScope.set(scope, fork);
      return held(fork, holder);
    }
  };
}

/** Index of `useContext` in the constructor's arguments. The property is private in MikroORM 7. */
const USE_CONTEXT = 3;

function withOwnCache(
  Base: Constructor<InternalManager>,
  entities: OwnedEntities,
): Constructor<InternalManager> {
  return class extends Base {
    override tryCache(entity: string, config: unknown, key: unknown, ...more: unknown[]) {
      const cache = config ?? this.config.get('resultCache').global;
      const holder = currentHolder(entities);
      const own: unknown = Array.isArray(cache)
        ? [cacheKeyOf(holder, cache[0]), ...(cache.slice(1) as unknown[])]
        : cache;
      return super.tryCache(entity, own, [cacheKeyOf(holder, ''), key], ...more);
    }

    override clearCache(key: string): Promise<void> {
      return super.clearCache(cacheKeyOf(currentHolder(entities), key));
    }
  };
}

function withoutRawSql(
  Base: Constructor<InternalManager>,
  entities: OwnedEntities,
): Constructor<InternalManager> {
  return class extends Base {
    override execute(sql: unknown, params: unknown = [], ...more: unknown[]): Promise<unknown> {
      if (currentHolder(entities).kind !== 'all') {
        if (typeof sql === 'string') checkNames(raw(sql, params as unknown[]), entities);
        else checkRawIn(sql, entities);
      }
      return super.execute(sql, params, ...more);
    }

    override getKnex(): never {
      throw unseenQueries('Knex', 'em.getConnection().getKnex()');
    }

    override getKysely(): never {
      throw unseenQueries('Kysely', 'em.getConnection().getClient()');
    }
  };
}

function unseenQueries(name: string, unguarded: string): TenantUnguardedError {
  return new TenantUnguardedError(
    `em.get${name}()`,
    `the guard cannot filter the queries of ${name}`,
    `Use em.createQueryBuilder(), or use ${unguarded} and filter by tenant yourself`,
  );
}

function forksOf(driver: object): WeakMap<object, InternalManager> {
  const known = forks.get(driver) ?? new WeakMap<object, InternalManager>();
  forks.set(driver, known);
  return known;
}

function otherTenantsManager(): TenantUnguardedError {
  return new TenantUnguardedError(
    'An EntityManager that another tenant, or code without a tenant, has used',
    'the manager may contain rows, changes and the transaction of that code',
    'Use the root EntityManager, or call em.fork() inside tenancy.run()',
  );
}

/**
 * Returns true in a tenant's scope and in `runCentral()`. In other cases, many requests may share
 * one scope object.
 */
function hasOwnFork(scope = currentScope()): scope is TenantScope {
  return scope?.kind === 'tenant' || scope?.kind === 'central';
}

/** @throws TenantUnguardedError if this scope must not have an entity manager */
function ownScope(): TenantScope {
  const scope = currentScope();
  if (!hasOwnFork(scope)) throw otherTenantsManager();
  return scope;
}

function currentHolder(entities: OwnedEntities): Holder {
  const scope = currentScope();
  if (scope?.kind === 'tenant') return { kind: 'tenant', id: scope.tenant.tenantId };
  return { kind: scope?.kind === 'central' && entities.allowsAll ? 'all' : 'nobody' };
}

function isHeldBy(em: InternalManager, { kind, id }: Holder): boolean {
  const holder = holders.get(em);
  return holder === undefined || (holder.kind === kind && holder.id === id);
}

/** @throws TenantUnguardedError if the manager belongs to other code */
function held(em: InternalManager, holder: Holder): InternalManager {
  if (!isHeldBy(em, holder)) throw otherTenantsManager();
  holders.set(em, holder);
  return em;
}

/**
 * Sets the owner of a new fork. MikroORM calls methods of the fork while it creates the fork, so code
 * without a tenant would own the fork. This function removes that owner.
 * @param holder the owner of the rows that MikroORM copied into the fork
 */
function unusedFork<T extends object>(fork: T, holder: Holder | undefined): T {
  if (holder) holders.set(fork, holder);
  else if (holders.get(fork)?.kind === 'nobody') holders.delete(fork);
  return fork;
}

function cacheKeyOf({ kind, id }: Holder, key: unknown): string {
  return JSON.stringify([kind, id, key]);
}
