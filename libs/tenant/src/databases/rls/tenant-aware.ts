import { readBinding, bindScope, scopeToBind, type TenantBinding } from './bind-tenant.js';
import type { RlsQuery } from './rls-query.js';

/** The properties of a `TransactionalAdapter` (`@nestjs-cls/transactional`) that are used here. */
export interface TransactionalAdapterShape {
  optionsFactory: (connection: never, extraProviders: never) => TransactionalHooks;
}

/** The result of `optionsFactory`. */
export interface TransactionalHooks {
  readonly wrapWithTransaction: (options: never, fn: never, setTx: never) => Promise<unknown>;
  /** Missing or undefined in some adapters. */
  readonly wrapWithNestedTransaction?:
    | ((options: never, fn: never, setTx: never, parent: never) => Promise<unknown>)
    | undefined;
  readonly getFallbackInstance: () => unknown;
}

/** The type of an adapter's transactions. */
export type TransactionOf<A extends TransactionalAdapterShape> = ReturnType<
  ReturnType<A['optionsFactory']>['getFallbackInstance']
>;

/**
 * Binds each transaction of a `@nestjs-cls/transactional` adapter to the current tenant. The
 * binding is the first statement of each transaction. A transaction without a tenant throws
 * `TenantContextMissingError`.
 *
 * @example
 * ```ts
 * const adapter = new TransactionalAdapterDrizzleOrm({ drizzleInstanceToken: DB });
 * new ClsPluginTransactional({ imports: [DbModule], adapter: tenantAware(adapter, drizzleQuery) });
 * ```
 * @param queryOf a function such as `drizzleQuery`, `knexQuery`, `kyselyQuery`, `prismaQuery`,
 * `typeormQuery`, `pgQuery`, or your own
 * @returns the adapter itself
 * @throws TenantOptionError if an option is invalid
 */
export function tenantAware<A extends TransactionalAdapterShape>(
  adapter: A,
  queryOf: (transaction: TransactionOf<A>) => RlsQuery,
  binding?: TenantBinding,
): A {
  const checked = readBinding(binding, 'tenantAware');
  const hooksOf = adapter.optionsFactory.bind(adapter) as (
    ...args: unknown[]
  ) => TransactionalHooks;

  const bound = (wrap: Wrap): Wrap =>
    async function (options, fn, setTx, ...parent) {
      const scope = scopeToBind();
      let transaction: unknown;
      return wrap(
        options,
        async () => {
          await bindScope(scope, queryOf(transaction as TransactionOf<A>), checked);
          return fn();
        },
        (tx) => {
          transaction = tx;
          setTx(tx);
        },
        ...parent,
      );
    };

  adapter.optionsFactory = (...args) => {
    const hooks = hooksOf(...args);
    const nested = hooks.wrapWithNestedTransaction?.bind(hooks) as Wrap | undefined;
    return {
      ...hooks,
      wrapWithTransaction: bound(hooks.wrapWithTransaction.bind(hooks) as Wrap),
      // Set only for nested transactions, because the plugin checks if the property exists.
      ...(nested && { wrapWithNestedTransaction: bound(nested) }),
    };
  };
  return adapter;
}

type Wrap = (
  options: unknown,
  fn: () => Promise<unknown>,
  setTx: (transaction: unknown) => void,
  ...parent: unknown[]
) => Promise<unknown>;
