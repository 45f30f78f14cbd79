import type { RequestContext } from '@fledge/core';
import { currentRequestContext, TENANT_SCOPE as SCOPE } from '@fledge/core/packages';
import type { ExecutionContext } from '@nestjs/common';
import { CLS_CTX, CLS_ID, CLS_REQ, ClsServiceManager, type ClsStore } from 'nestjs-cls';
import { pickAttributes, type TenantAttributes } from '../tenant-attributes.js';
import type { TenantContext } from '../tenant-context.js';
import { TenantContextMissingError } from '../tenant.errors.js';

/** The tenant of the current code. */
export type TenantScope =
  | { readonly kind: 'tenant'; readonly tenant: TenantContext }
  /** The code runs without a tenant on purpose, in `runCentral()` or on a central route. */
  | { readonly kind: 'central'; readonly reason: string; readonly attributes?: TenantAttributes }
  /**
   * The code runs without a tenant. The request contains none (`absent`), or its tenant is
   * rejected. Routes that require a tenant respond with `error`. A `secret` error must not be sent
   * to unauthenticated clients. A `postponed` error is thrown after the guards.
   */
  | {
      readonly kind: 'none';
      readonly absent?: true;
      readonly error?: unknown;
      readonly secret?: true;
      /**
       * Returns the error for code that reads the tenant before the route has accepted the request.
       * Middleware and the constructors of request-scoped providers run that early.
       */
      readonly refuse?: (() => unknown) | undefined;
      readonly postponed?: true;
      /** The tenant, if the tenant exists but one of its resources failed. */
      readonly failed?: TenantContext;
    };

export const NO_TENANT: TenantScope = { kind: 'none' };

/** Returns undefined outside requests, sockets and `Tenancy`. */
export function currentScope(): TenantScope | undefined {
  return scopeIn(cls.get<Store | undefined>());
}

/** Returns undefined if the scope has no tenant, or if the tenant is accepted. */
export function findRefusal(scope: TenantScope | undefined): unknown {
  return scope?.kind === 'none' && scope.absent !== true ? scope.error : undefined;
}

/** Returns the error of `refuse`, or else a TenantContextMissingError. */
export function missingContext(wanted: string): unknown {
  const scope = currentScope();
  const refuse = scope?.kind === 'none' ? scope.refuse : undefined;
  return refuse === undefined ? new TenantContextMissingError(wanted) : refuse();
}

/** True if the tenant is rejected and unauthenticated clients must not know why. */
export function isRefusalSecret(): boolean {
  const scope = currentScope();
  return scope?.kind === 'none' && scope.secret === true;
}

/**
 * @param wanted a description of the operation, for the error
 * @throws TenantContextMissingError, or the rejection of the request (see `missingContext`)
 */
export function requiredTenant(wanted: string): TenantContext {
  const tenant = currentTenant();
  if (tenant === undefined) throw missingContext(wanted);
  return tenant;
}

/** A scope in which code may use a database. */
export type KnownScope = Exclude<TenantScope, { kind: 'none' }>;

/**
 * @param wanted a description of the operation, for the error
 * @throws the same errors as `requiredTenant`
 */
export function requiredScope(wanted: string): KnownScope {
  const scope = currentScope();
  if (scope === undefined || scope.kind === 'none') throw missingContext(wanted);
  return scope;
}

export function currentTenant(): TenantContext | undefined {
  const scope = currentScope();
  return scope?.kind === 'tenant' ? scope.tenant : undefined;
}

/** Includes attributes of enclosing scopes and central routes. */
export function currentAttributes(): TenantAttributes | undefined {
  return attributesIn(cls.get<Store | undefined>());
}

export function pickScopeAttributes(scope: TenantScope | undefined): TenantAttributes | undefined {
  if (scope?.kind === 'tenant') return pickAttributes(scope.tenant);
  return scope?.kind === 'central' ? scope.attributes : undefined;
}

/** Returns the scope of a request, even if the current scope is nested. */
export function scopeOfRequest(request: RequestContext | undefined): TenantScope | undefined {
  return (request as Scoped | undefined)?.[SCOPE];
}

/** Sets the scope of a request, of a socket's client, or of an object of one message. */
export function setScope(owner: object, scope: TenantScope): void {
  Object.defineProperty(owner, SCOPE, { value: scope, configurable: true });
}

export function scopeOfClient(client: object): TenantScope | undefined {
  return (client as Scoped)[SCOPE];
}

/** In a new cls store, because the inner tenant must not use the outer tenant's transaction. */
export function enterScope<T>(scope: TenantScope, run: () => T): T {
  return enterScopeWith(currentAttributes(), scope, run);
}

/** @param attributes replace the attributes of the caller. Undefined means no attributes */
export function enterScopeWith<T>(
  attributes: TenantAttributes | undefined,
  scope: TenantScope,
  run: () => T,
): T {
  const around = cls.get<Store | undefined>();
  const request = currentRequestContext()?.req;
  const store: Store = { [SCOPE]: scope };
  if (attributes !== undefined) store[ATTRIBUTES] = attributes;
  if (around?.[CLS_ID] !== undefined) store[CLS_ID] = around[CLS_ID];
  // Needed because the request context is found through the request.
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
  /** Attributes of the enclosing scope. */
  [ATTRIBUTES]?: TenantAttributes;
  [CLS_CTX]?: ExecutionContext;
  [CLS_ID]?: string;
}

const cls = ClsServiceManager.getClsService();

/**
 * Returns the scope of a message. The ClsGuard of a gateway or microservice starts an empty store.
 * The scope is therefore also on the client or on an object of the message.
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
