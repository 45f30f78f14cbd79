import { ClsServiceManager, type ClsStore } from 'nestjs-cls';
import { isDeepStrictEqual } from 'node:util';
import { currentContext } from './cls-store.js';
import { TENANT_SCOPE } from './request-tenant.js';

/**
 * The loaders of the running request, job or event. Undefined outside of one. A nested tenant scope and a
 * transaction of nestjs-cls have stores, and so loaders, apart from those around them. A change of the user or of
 * the tenant within a request gives new loaders, because what was loaded may be hidden from the new one.
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

/** Drops the loaders of the running request, as before the next event of a subscription. */
export function forgetLoaders(): void {
  const store = cls.get<Store | undefined>();
  if (store?.[LOADERS] !== undefined) store[LOADERS] = undefined;
}

/** For what the loaders load. */
interface Owner {
  /** nestjs-cls copies the values of a store into the store of a nested transaction. */
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
  // Guards of several resolvers may each build the user anew.
  return one.user === other.user || isDeepStrictEqual(one.user, other.user);
}

const LOADERS = Symbol('fledge:loaders');
const cls = ClsServiceManager.getClsService();
