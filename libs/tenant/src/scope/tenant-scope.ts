import type { RequestContext } from '@fledge/core';
import { currentRequestContext, TENANT_SCOPE as SCOPE } from '@fledge/core/packages';
import { type ExecutionContext, UnauthorizedException } from '@nestjs/common';
import { CLS_CTX, CLS_ID, CLS_REQ, ClsServiceManager, type ClsStore } from 'nestjs-cls';
import { pickAttributes, type TenantAttributes } from '../tenant-attributes.js';
import type { TenantContext } from '../tenant-context.js';
import { TenantContextMissingError } from '../tenant.errors.js';

/** Which tenant the current code works for. */
export type TenantScope =
  | { readonly kind: 'tenant'; readonly tenant: TenantContext }
  /** No tenant, on purpose: `runCentral()` or a central route. */
  | { readonly kind: 'central'; readonly reason: string; readonly attributes?: TenantAttributes }
  /**
   * No tenant, because the request names none (`absent`), or because the named tenant is refused.
   * `error` is the answer of routes that require a tenant. A `secret` error must not show to unauthenticated
   * clients; a `postponed` one is thrown after the guards.
   */
  | {
      readonly kind: 'none';
      readonly absent?: true;
      readonly error?: unknown;
      readonly secret?: true;
      readonly postponed?: true;
      /** The tenant that exists, but of which a resource failed. */
      readonly failed?: TenantContext;
    };

/** The scope of code that works for no tenant. */
export const NO_TENANT: TenantScope = { kind: 'none' };

/** The scope of the current code. Undefined outside of requests, sockets and `Tenancy`. */
export function currentScope(): TenantScope | undefined {
  return scopeIn(cls.get<Store | undefined>());
}

/** Why the named tenant is refused. Undefined if it is served, or if none is named. */
export function findRefusal(scope: TenantScope | undefined): unknown {
  return scope?.kind === 'none' && scope.absent !== true ? scope.error : undefined;
}

/**
 * The error for code that reads the tenant where there is none. While the refusal is secret it is a 401:
 * a guard that reads the tenant must not show unauthenticated clients that the tenant does not exist.
 */
export function missingContext(wanted: string): Error {
  return isRefusalSecret() ? new UnauthorizedException() : new TenantContextMissingError(wanted);
}

/** True while the request names a refused tenant and unauthenticated clients must not see why. */
export function isRefusalSecret(): boolean {
  const scope = currentScope();
  return scope?.kind === 'none' && scope.secret === true;
}

/**
 * The current tenant.
 * @param wanted what needs it, for the error
 * @throws TenantContextMissingError, or UnauthorizedException as `missingContext` says
 */
export function requiredTenant(wanted: string): TenantContext {
  const tenant = currentTenant();
  if (tenant === undefined) throw missingContext(wanted);
  return tenant;
}

/** A scope in which code may use a database. */
export type KnownScope = Exclude<TenantScope, { kind: 'none' }>;

/**
 * The current scope, of a tenant or of `runCentral()`.
 * @param wanted what needs it, for the error
 * @throws like `requiredTenant`
 */
export function requiredScope(wanted: string): KnownScope {
  const scope = currentScope();
  if (scope === undefined || scope.kind === 'none') throw missingContext(wanted);
  return scope;
}

/** The current tenant, or undefined. */
export function currentTenant(): TenantContext | undefined {
  const scope = currentScope();
  return scope?.kind === 'tenant' ? scope.tenant : undefined;
}

/** The attributes of the current code, also of the scopes around it, and on central routes. */
export function currentAttributes(): TenantAttributes | undefined {
  return attributesIn(cls.get<Store | undefined>());
}

export function pickScopeAttributes(scope: TenantScope | undefined): TenantAttributes | undefined {
  if (scope?.kind === 'tenant') return pickAttributes(scope.tenant);
  return scope?.kind === 'central' ? scope.attributes : undefined;
}

/** The scope of a request, also inside a nested scope. */
export function scopeOfRequest(request: RequestContext | undefined): TenantScope | undefined {
  return (request as Scoped | undefined)?.[SCOPE];
}

/** Sets the scope of a request, of a socket's client, or of what comes with a message. */
export function setScope(owner: object, scope: TenantScope): void {
  Object.defineProperty(owner, SCOPE, { value: scope, configurable: true });
}

/** The scope of a socket's client. */
export function scopeOfClient(client: object): TenantScope | undefined {
  return (client as Scoped)[SCOPE];
}

/**
 * Runs a function in a new cls store. The new store keeps only the request: a transaction of the outer
 * tenant must not serve the inner one.
 */
export function enterScope<T>(scope: TenantScope, run: () => T): T {
  const around = cls.get<Store | undefined>();
  const request = currentRequestContext()?.req;
  const store: Store = { [SCOPE]: scope };
  const attributes = attributesIn(around);
  if (attributes !== undefined) store[ATTRIBUTES] = attributes;
  if (around?.[CLS_ID] !== undefined) store[CLS_ID] = around[CLS_ID];
  // The request context is found through it.
  if (request !== undefined) store[CLS_REQ] = request;
  return cls.runWith(store, run);
}

function scopeIn(store: Store | undefined): TenantScope | undefined {
  if (store === undefined) return undefined;
  return store[SCOPE] ?? scopeOfRequest(currentRequestContext()) ?? scopeOfMessage(store);
}

function attributesIn(store: Store | undefined): TenantAttributes | undefined {
  return store?.[ATTRIBUTES] ?? pickScopeAttributes(scopeIn(store));
}

const ATTRIBUTES = Symbol('fledge:attributes');

interface Scoped {
  readonly [SCOPE]?: TenantScope;
}

interface Store extends ClsStore {
  [SCOPE]?: TenantScope;
  /** Of the scope around this one. */
  [ATTRIBUTES]?: TenantAttributes;
  [CLS_CTX]?: ExecutionContext;
  [CLS_ID]?: string;
}

const cls = ClsServiceManager.getClsService();

/**
 * The ClsGuard of a gateway or of a microservice starts an empty store. The scope is still on the client, or
 * on what came with the message.
 */
function scopeOfMessage(store: Store): TenantScope | undefined {
  const execution = store[CLS_CTX];
  switch (execution?.getType()) {
    case 'ws':
      return scopeOfClient(execution.getArgByIndex<object>(0));
    case 'rpc':
      return execution.getArgs<(Scoped | undefined)[]>().find((arg) => arg?.[SCOPE])?.[SCOPE];
    default:
      return undefined;
  }
}
