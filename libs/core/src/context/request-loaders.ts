import { ClsServiceManager, type ClsStore } from 'nestjs-cls';
import { isDeepStrictEqual } from 'node:util';
import { currentContext } from './open-context.js';
import { TENANT_SCOPE } from './request-context.js';

/**
 * Returns the loaders of the running request, job or event. Returns undefined if none is running. A
 * nested tenant scope has its own store and its own loaders. So does a nestjs-cls transaction. If
 * the user or tenant changes within a request, new loaders are created. The new user or tenant may
 * have no permission to see the loaded values.
 */
export function loadersHere(): Map<unknown, unknown> | undefined {
  const store = cls.get<Store | undefined>();
  if (store === undefined) return undefined;
  const owner = ownerIn(store);
  const kept = store[LOADERS];
  if (kept !== undefined && isSameOwner(kept.owner, owner)) return kept.loaders;
  const loaders = new Map<unknown, unknown>();
  store[LOADERS] = { owner, loaders };
  return loaders;
}

/**
 * Discards the loaders of the running request, for example before the next event of a subscription.
 */
export function forgetLoaders(): void {
  const store = cls.get<Store | undefined>();
  if (store?.[LOADERS] !== undefined) store[LOADERS] = undefined;
}

/** The loaded values belong to this user, tenant and store. */
interface Owner {
  /**
   * The store must be compared, because nestjs-cls copies all values of a store into the store of a
   * nested transaction.
   */
  readonly store: Store;
  readonly user: unknown;
  readonly tenant: unknown;
}

interface Store extends ClsStore {
  [LOADERS]?: { readonly owner: Owner; readonly loaders: Map<unknown, unknown> } | undefined;
  readonly [TENANT_SCOPE]?: unknown;
}

function ownerIn(store: Store): Owner {
  const context = currentContext();
  const tenant =
    store[TENANT_SCOPE] ?? (context as { readonly [TENANT_SCOPE]?: unknown })?.[TENANT_SCOPE];
  return { store, user: context?.get('user'), tenant };
}

function isSameOwner(one: Owner, other: Owner): boolean {
  if (one.store !== other.store || one.tenant !== other.tenant) return false;
  // Compared deeply, because guards of several resolvers may each create a new user object.
  return one.user === other.user || isDeepStrictEqual(one.user, other.user);
}

const LOADERS = Symbol('fledge:loaders');
const cls = ClsServiceManager.getClsService();
