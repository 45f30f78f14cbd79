import type { ContextRequest } from '@fledge/core';
import type { TenantContext, TenantData, TenantStatus } from './tenant-context.js';

/** The built-in ways to take a tenant's identifier from a request. */
export type TenantStrategy = 'header' | 'subdomain' | 'path' | 'query';

/** The request as middleware sees it: Express' own, or Node's on Fastify. */
export type TenantRequest = ContextRequest;

/** Takes the identifier from a request; nothing where it has none. What it throws reaches the client's filters. */
export type TenantResolverFn = (
  req: TenantRequest,
) => string | null | undefined | Promise<string | null | undefined>;

/** A strategy with settings of its own, for arrays that use one twice or name a function. */
export type TenantStrategyDef =
  | { readonly type: 'header'; readonly header?: string }
  | { readonly type: 'query'; readonly queryParam?: string }
  | ({ readonly type: 'subdomain' } & TenantSubdomainOptions)
  | ({ readonly type: 'path' } & TenantPathOptions)
  | { readonly type: 'function'; readonly name: string; readonly resolve: TenantResolverFn };

export type AnyTenantStrategy = TenantStrategy | TenantResolverFn | TenantStrategyDef;

export interface TenantSubdomainOptions {
  /**
   * Domains tenants stand below: `acme.example.com` of `example.com`. Without it the host needs
   * three labels or ends in `.localhost`.
   * @default none
   */
  readonly baseDomains?: readonly string[];
  /** Labels that are no tenants. @default ['www'] */
  readonly reserved?: readonly string[];
  /**
   * Which label below the base domain: the leftmost, the one next to the base domain, or the only
   * one there may be.
   * @default 'first'
   */
  readonly level?: 'first' | 'last' | 'single';
}

export interface TenantPathOptions {
  /** What stands before the segment, such as the global prefix: `/api`, in any case. @default '' */
  readonly after?: string;
  /** Which segment behind that, from 0. @default 0 */
  readonly segment?: number;
  /** Segments that are no tenants, such as `health`, in any case. @default [] */
  readonly reserved?: readonly string[];
  /**
   * Whether routes are matched without the segment: `/acme/tasks` reaches `/tasks`. `originalUrl`
   * keeps it.
   * @default false
   */
  readonly strip?: boolean;
}

export interface TenantIdentifierOptions {
  /** What an identifier must match as a whole. @default /^[A-Za-z0-9][A-Za-z0-9._-]*$/ */
  readonly pattern?: RegExp;
  /** In UTF-16 code units. @default 128 */
  readonly maxLength?: number;
  /**
   * Applied once the identifier is known to be well-formed, such as to lower-case it. What it returns
   * must be well-formed, too.
   * @default none
   */
  readonly normalize?: (identifier: string) => string;
}

export interface TenantTrustOptions {
  /**
   * Which peers may send the header: all, none, those of these addresses and CIDR blocks, or those a
   * function accepts. The header of another peer counts as absent.
   * @default true
   */
  readonly header?: boolean | readonly string[] | ((req: TenantRequest) => boolean);
  /**
   * Whether the subdomain is read from `X-Forwarded-Host`, where it is sent. The proxy must overwrite
   * it then: several different hosts in it are refused.
   * @default false
   */
  readonly forwardedHost?: boolean;
}

/** What a store answers for an identifier. */
export interface TenantRecord {
  readonly tenantId: string;
  /** What `find` is asked for to get this tenant: jobs and messages carry it. Of `list()`'s records. @default tenantId */
  readonly identifier?: string;
  /** @default 'active' */
  readonly status?: TenantStatus;
  /** Of a tenant under maintenance. @default 60 */
  readonly retryAfterSeconds?: number;
  readonly data?: TenantData;
}

/** Where the application keeps its tenants. */
export interface TenantStore {
  /** Nothing where there is no such tenant. What it throws is a 503 for the client. */
  find(
    identifier: string,
  ): TenantRecord | null | undefined | Promise<TenantRecord | null | undefined>;
  /** All tenants, for `tenancy.forEach('all', ...)`. */
  list?(): Iterable<TenantRecord> | Promise<Iterable<TenantRecord>>;
}

export interface TenantCacheOptions {
  /** Milliseconds a tenant is remembered. @default 60_000 */
  readonly ttlMs?: number;
  /** Milliseconds it is remembered that there is no such tenant. @default 5_000 */
  readonly negativeTtlMs?: number;
  /** Tenants remembered at most; the least recently used is forgotten. @default 10_000 */
  readonly max?: number;
}

export interface TenantVerifyOptions {
  /**
   * The tenant or tenants of whoever is authenticated, read after all guards; undefined for nobody.
   * A request for another tenant is a 403 and its handler does not run.
   */
  readonly principal: (req: TenantRequest) => string | readonly string[] | null | undefined;
  /** Whether a request of nobody is refused, too. @default false */
  readonly required?: boolean;
}

/** Whether routes need a tenant, unless a decorator says otherwise. */
export type TenantRouteMode = 'tenant' | 'universal' | 'central';

export interface TenantErrorOptions {
  /**
   * Answers unknown, suspended and foreign tenants alike, as unknown, once the guards of a route let
   * the request pass. Strangers get what the guards answer, such as 401, for each tenant.
   * @default false
   */
  readonly opaque?: boolean;
}

/** Called where something happened to a tenant, for audit and metrics. What they throw, or reject with, is logged. */
export interface TenantHooks {
  /** A request's tenant is known. */
  readonly resolved?: (tenant: TenantContext, req: TenantRequest) => void;
  /** A request was refused for its tenant. */
  readonly rejected?: (error: unknown, req: TenantRequest) => void;
  /** `runCentral` begins. */
  readonly central?: (reason: string) => void;
}

/** Options of `TenantModule.forRoot()`. */
export interface TenantAdapterOptions {
  /** How the identifier is taken from a request. Of an array the first that finds one, see `combine`. */
  readonly strategy: AnyTenantStrategy | readonly AnyTenantStrategy[];
  /** Name of the header, of the strategy `header`. @default 'x-tenant-id' */
  readonly header?: string;
  /** Name of the parameter, of the strategy `query`. @default 'tenant' */
  readonly queryParam?: string;
  /**
   * Called when no tenant can be resolved: returns the identifier to fall back to, or throws. What
   * it throws reaches the client. Not called when the store fails.
   * @default answers 400
   */
  readonly onTenantNotFound?: (req: TenantRequest) => string | Promise<string>;

  /** What of several strategies counts: the first that finds one, or all that find one have to agree. @default 'first' */
  readonly combine?: 'first' | 'agree';
  readonly subdomain?: TenantSubdomainOptions;
  readonly path?: TenantPathOptions;
  readonly identifier?: TenantIdentifierOptions;
  readonly trust?: TenantTrustOptions;
  /** Where tenants are looked up. @default every well-formed identifier is a tenant */
  readonly store?: TenantStore | TenantStore['find'];
  /** How long the store's answers are remembered; `false` asks it for every request. */
  readonly cache?: TenantCacheOptions | false;
  readonly verify?: TenantVerifyOptions;
  /** @default 'tenant' */
  readonly mode?: TenantRouteMode;
  readonly errors?: TenantErrorOptions;
  readonly hooks?: TenantHooks;
}
