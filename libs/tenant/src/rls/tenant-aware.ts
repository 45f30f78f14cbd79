import { bindScope, scopeToBind, type TenantBinding } from './bind-tenant.js';
import type { RlsQuery } from './rls-query.js';

/** Of a `TransactionalAdapter` of `@nestjs-cls/transactional` what is needed here: all of them fit. */
export interface TransactionalAdapterShape {
  optionsFactory: (connection: never, extraProviders: never) => TransactionalHooks;
}

export interface TransactionalHooks {
  readonly wrapWithTransaction: (options: never, fn: never, setTx: never) => Promise<unknown>;
  readonly wrapWithNestedTransaction?: (
    options: never,
    fn: never,
    setTx: never,
    parent: never,
  ) => Promise<unknown>;
  readonly getFallbackInstance: () => unknown;
}

/** What the transactions of an adapter are. */
export type TransactionOf<A extends TransactionalAdapterShape> = ReturnType<
  ReturnType<A['optionsFactory']>['getFallbackInstance']
>;

/**
 * Ties each transaction of an adapter of `@nestjs-cls/transactional` to the tenant it begins for,
 * before anything else runs in it. Without a tenant none begins.
 *
 * @example
 * ```ts
 * const adapter = new TransactionalAdapterDrizzleOrm({ drizzleInstanceToken: DB });
 * new ClsPluginTransactional({ imports: [DbModule], adapter: tenantAware(adapter, drizzleQuery) });
 * ```
 * @param queryOf `drizzleQuery`, `knexQuery`, `kyselyQuery`, `typeormQuery`, `pgQuery`, or your own
 * @returns the adapter itself
 */
export function tenantAware<A extends TransactionalAdapterShape>(
  adapter: A,
  queryOf: (transaction: TransactionOf<A>) => RlsQuery,
  binding: TenantBinding = {},
): A {
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
          await bindScope(scope, queryOf(transaction as TransactionOf<A>), binding);
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
      // Its absence tells that an adapter has no nested transactions.
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
