import { currentRequestContext, type RequestContext } from '@fledge/core';
import { type ExecutionContext, UnauthorizedException } from '@nestjs/common';
import { CLS_CTX, CLS_ID, CLS_REQ, ClsServiceManager, type ClsStore } from 'nestjs-cls';
import type { TenantContext } from '../tenant-context.js';
import { TenantContextMissingError } from '../tenant.errors.js';

/** For whom the code that runs now works. */
export type TenantScope =
  | { readonly kind: 'tenant'; readonly tenant: TenantContext }
  /** For nobody in particular, on purpose. */
  | { readonly kind: 'central'; readonly reason: string }
  /**
   * For nobody: because nothing named a tenant (`absent`), or because who was named is not served.
   * `error` is what a route that needs a tenant answers; where it is `secret`, only once the guards
   * let the request pass.
   */
  | {
      readonly kind: 'none';
      readonly absent?: true;
      readonly error?: unknown;
      readonly secret?: true;
    };

/** The scope of what runs now; undefined where nobody set one. */
export function currentScope(): TenantScope | undefined {
  const store = cls.get<Store | undefined>();
  if (store === undefined) return undefined;
  return store[SCOPE] ?? scopeOfRequest(currentRequestContext()) ?? scopeOfMessage(store);
}

/** Why who was named is not served; undefined for a tenant, and where nobody was named. */
export function refusalOf(scope: TenantScope | undefined): unknown {
  return scope?.kind === 'none' && scope.absent !== true ? scope.error : undefined;
}

/**
 * The error for code that reads a tenant where there is none. A guard that reads the tenant answers a
 * stranger 401 where it must not show that the tenant does not exist.
 */
export function missingTenant(wanted: string): Error {
  const scope = currentScope();
  const isSecret = scope?.kind === 'none' && scope.secret === true;
  return isSecret ? new UnauthorizedException() : new TenantContextMissingError(wanted);
}

/** The tenant of what runs now; undefined where there is none. */
export function currentTenant(): TenantContext | undefined {
  const scope = currentScope();
  return scope?.kind === 'tenant' ? scope.tenant : undefined;
}

/** The scope of a request, whatever ran inside of it since. */
export function scopeOfRequest(request: RequestContext | undefined): TenantScope | undefined {
  return (request as Scoped | undefined)?.[SCOPE];
}

/** Gives a request, or the client of a socket, its scope. */
export function setScope(owner: object, scope: TenantScope): void {
  Object.defineProperty(owner, SCOPE, { value: scope, configurable: true });
}

/** The scope of the client of a socket. */
export function scopeOfClient(client: object): TenantScope | undefined {
  return (client as Scoped)[SCOPE];
}

/**
 * Runs a function in a cls store of its own. Of the store around it nothing but the request comes
 * along: a transaction of one tenant must not serve another.
 */
export function enterScope<T>(scope: TenantScope, run: () => T): T {
  const around = cls.get<Store | undefined>();
  const request = currentRequestContext()?.req;
  const store: Store = { [SCOPE]: scope };
  if (around?.[CLS_ID] !== undefined) store[CLS_ID] = around[CLS_ID];
  // By it the context of the request is found again.
  if (request !== undefined) store[CLS_REQ] = request;
  return cls.runWith(store, run);
}

interface Scoped {
  readonly [SCOPE]?: TenantScope;
}

interface Store extends ClsStore {
  [SCOPE]?: TenantScope;
  [CLS_CTX]?: ExecutionContext;
  [CLS_ID]?: string;
}

// One for all copies of this package in a process.
const SCOPE: unique symbol = Symbol.for('fledge:tenant-scope') as never;
const cls = ClsServiceManager.getClsService();

/** nestjs-cls' guard on a gateway starts from an empty store; the client still knows whose it is. */
function scopeOfMessage(store: Store): TenantScope | undefined {
  const execution = store[CLS_CTX];
  return execution?.getType() === 'ws'
    ? scopeOfClient(execution.getArgByIndex<object>(0))
    : undefined;
}
