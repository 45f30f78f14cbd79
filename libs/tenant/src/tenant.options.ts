import type { ContextRequest } from '@fledge/core';
import type { TenantContext, TenantData, TenantStatus } from './tenant-context.js';

/** The built-in strategies for reading a tenant's identifier. */
export type TenantStrategy = 'header' | 'subdomain' | 'path' | 'query';

/** The request in middleware. It is Express' request, or Node.js' request on Fastify. */
export type TenantRequest = ContextRequest;

/**
 * Returns the identifier, or nothing if the request has none. Exception filters receive the errors
 * of this function.
 */
export type TenantResolverFn = (
  req: TenantRequest,
) => string | null | undefined | Promise<string | null | undefined>;

/**
 * A strategy with its own settings. Use this form to list a strategy twice, or to give a function a
 * name.
 */
export type TenantStrategyDef =
  | { readonly type: 'header'; readonly header?: string }
  | { readonly type: 'query'; readonly queryParam?: string }
  | ({ readonly type: 'subdomain' } & TenantSubdomainOptions)
  | ({ readonly type: 'path' } & TenantPathOptions)
  | { readonly type: 'function'; readonly name: string; readonly resolve: TenantResolverFn };

export type AnyTenantStrategy = TenantStrategy | TenantResolverFn | TenantStrategyDef;

export interface TenantSubdomainOptions {
  /**
   * Base domains. With `example.com`, the tenant of `acme.example.com` is `acme`. If there are no
   * base domains, the host must have three labels, or end in `.localhost`.
   * @default none
   */
  readonly baseDomains?: readonly string[];
  /** Labels that are not tenants. @default ['www'] */
  readonly reserved?: readonly string[];
  /**
   * The label that is the tenant, if several labels precede the base domain. `first` is the
   * leftmost label. `last` is the label next to the base domain. `single` ignores hosts with
   * several such labels.
   * @default 'first'
   */
  readonly level?: 'first' | 'last' | 'single';
}

export interface TenantPathOptions {
  /** Path before the tenant's segment, such as the global prefix `/api`. Case-insensitive. @default '' */
  readonly after?: string;
  /**
   * Index of the tenant's segment. The first segment after the path `after` has the index 0.
   * @default 0
   */
  readonly segment?: number;
  /** Segments that are not tenants, such as `health`. Case-insensitive. @default [] */
  readonly reserved?: readonly string[];
  /**
   * Removes the segment before routes are matched. The path `/acme/tasks` then matches the route
   * `/tasks`. `originalUrl` still contains the segment.
   * @default false
   */
  readonly strip?: boolean;
}

export interface TenantIdentifierOptions {
  /** The whole identifier must match this pattern. @default /^[A-Za-z0-9][A-Za-z0-9._-]*$/ */
  readonly pattern?: RegExp;
  /**
   * Maximum length of an identifier, in UTF-16 code units. PostgreSQL truncates names after 63 bytes,
   * so with longer identifiers, two tenants could get the same schema or database. For this reason,
   * `TenantLifecycle.create()` also limits `tenantId`, to this number of bytes.
   * @default 50
   */
  readonly maxLength?: number;
  /**
   * Normalizes a valid identifier, for example to lower case. Must return a valid identifier.
   * @default none
   */
  readonly normalize?: (identifier: string) => string;
}

export interface TenantTrustOptions {
  /**
   * Who may send the header: `true` for everyone, `false` for nobody, a list of addresses and CIDR
   * blocks, or a function. The header is ignored if anyone else sends it.
   * @default true
   */
  readonly header?: boolean | readonly string[] | ((req: TenantRequest) => boolean);
  /**
   * Reads the subdomain from `X-Forwarded-Host` if the request has this header. The proxy must
   * overwrite the header. A list of different hosts is rejected.
   * @default false
   */
  readonly forwardedHost?: boolean;
}

/** The store's record of a tenant. */
export interface TenantRecord {
  readonly tenantId: string;
  /**
   * The identifier for which `find` returns the tenant. Set it in the records of `list()` if it
   * differs from `tenantId`. Jobs and messages contain this identifier.
   * @default tenantId
   */
  readonly identifier?: string;
  /** Status of the tenant. @default 'active' */
  readonly status?: TenantStatus;
  /**
   * Seconds in `Retry-After` if the tenant is not available yet.
   * @default 60 under maintenance, 5 in provisioning
   */
  readonly retryAfterSeconds?: number;
  readonly data?: TenantData;
}

/** The store of the application's tenants. */
export interface TenantStore {
  /**
   * Finds a tenant by identifier. Returns nothing if there is no such tenant. If the function
   * throws, the client gets a 503.
   */
  find(
    identifier: string,
  ): TenantRecord | null | undefined | Promise<TenantRecord | null | undefined>;
  /** Returns all tenants, for `tenancy.forEach('all', ...)` and `TenantLifecycle`. */
  list?(): Iterable<TenantRecord> | Promise<Iterable<TenantRecord>>;
  /**
   * Adds a tenant. If a tenant with this `tenantId` exists, replaces its status and data. Used by
   * `TenantLifecycle`.
   */
  save?(record: TenantRecord): unknown;
  /** Removes a tenant. Used by `TenantLifecycle.remove()`. */
  remove?(tenantId: string): unknown;
}

export interface TenantCacheOptions {
  /** Milliseconds for which a tenant is cached. @default 60_000 */
  readonly ttlMs?: number;
  /**
   * Milliseconds for which an unknown identifier is cached. The same time applies to a tenant in
   * provisioning.
   * @default 5_000
   */
  readonly negativeTtlMs?: number;
  /**
   * Maximum number of cached tenants. The same maximum applies to unknown identifiers. The least
   * recently used entry is removed first.
   * @default 10_000
   */
  readonly max?: number;
}

/** Sends invalidations of tenants between processes. See `redisInvalidations()`. */
export interface TenantInvalidations {
  /**
   * Starts to receive messages of other processes. Called and awaited at startup, before the first
   * request. This method must also return if the server is not available.
   */
  start(receiver: TenantInvalidationReceiver): void | Promise<void>;
  /** Sends a tenant's id or identifier to the other processes. Must not throw. */
  send(tenantId: string): void;
  /** Closes the connections. Called and awaited at shutdown. */
  stop(): void | Promise<void>;
}

/** Functions for messages of other processes. They never throw. */
export interface TenantInvalidationReceiver {
  /** Another process invalidated this tenant. */
  changed(tenantId: string): void;
  /** Messages may have been lost. The whole cache is cleared. */
  missed(): void;
}

/** A limit on the connections of all tenants together, in this process. */
export interface TenantBudgetOptions {
  /**
   * Maximum number of connections of all instances together. Only providers with the option
   * `connections` count. See `forFeature()` and `TenantConnectionsModule`.
   */
  readonly connections: number;
  /**
   * Milliseconds for which a request or `tenancy.run()` waits for connections. After this time, the
   * request or call fails with 503.
   * @default 5_000
   */
  readonly waitMs?: number;
}

/** The tenants of a user: one or several. Null or undefined if there is no user. */
export type TenantPrincipal = string | readonly string[] | null | undefined;

export interface TenantVerifyOptions {
  /**
   * Returns the tenant or tenants of the authenticated user, or a promise. Called after the guards,
   * for each request, GraphQL operation over a socket and tool call, and for each message of
   * gateways with `TenantSocketVerifyInterceptor`. Not called for messages of microservices. If the
   * request is for another tenant, the client gets a 403, and the handler does not run.
   * @remarks Only null and undefined mean that there is no user. Return an empty list for a user
   * without tenants.
   */
  readonly principal: (req: TenantRequest) => TenantPrincipal | Promise<TenantPrincipal>;
  /**
   * If true, requests without an authenticated user are rejected: `principal` returns null or
   * undefined for these requests.
   * @default false, with a warning at startup
   */
  readonly required?: boolean;
}

/**
 * The mode of routes. `tenant`: routes require a tenant. `universal`: routes accept requests with
 * and without a tenant. `central`: routes ignore the tenant. Decorators override the module's mode.
 */
export type TenantRouteMode = 'tenant' | 'universal' | 'central';

export interface TenantErrorOptions {
  /**
   * Sends the same error for unknown tenants, suspended tenants and other users' tenants. This
   * error is a 404. It is sent after the guards of the route have run. Unauthenticated clients
   * always get the error of the guards, such as 401.
   * @default false
   */
  readonly opaque?: boolean;
}

/** Callbacks for audit and metrics. Their errors and rejections are logged. */
export interface TenantHooks {
  /** Called when the tenant of a request was found. */
  readonly resolved?: (tenant: TenantContext, req: TenantRequest) => void;
  /** Called when a request was rejected because of its tenant. */
  readonly rejected?: (error: unknown, req: TenantRequest) => void;
  /** Called when `runCentral` begins. */
  readonly central?: (reason: string) => void;
}

/** Options of `TenantModule.forRoot()`. */
export interface TenantAdapterOptions {
  /** The strategy that reads the tenant's identifier, or a list of strategies. See `combine`. */
  readonly strategy: AnyTenantStrategy | readonly AnyTenantStrategy[];
  /** Header that the strategy `header` reads. @default 'x-tenant-id' */
  readonly header?: string;
  /** Query parameter that the strategy `query` reads. @default 'tenant' */
  readonly queryParam?: string;
  /**
   * Called if a request has no tenant. Returns a default identifier, or throws the error for the
   * client. Not called if the store fails.
   * @default a response with status 400
   */
  readonly onTenantNotFound?: (req: TenantRequest) => string | Promise<string>;

  /**
   * The rule for several strategies. `first` uses the first strategy that finds an identifier.
   * `agree` requires that all found identifiers are equal.
   * @default 'first'
   */
  readonly combine?: 'first' | 'agree';
  readonly subdomain?: TenantSubdomainOptions;
  readonly path?: TenantPathOptions;
  readonly identifier?: TenantIdentifierOptions;
  readonly trust?: TenantTrustOptions;
  /** Looks up tenants. @default no lookup: each valid identifier is the id of a tenant */
  readonly store?: TenantStore | TenantStore['find'];
  /**
   * Lifetime and number of the cached results of the store. If `false`, each request calls the
   * store.
   */
  readonly cache?: TenantCacheOptions | false;
  /**
   * Limits the total connections of all tenants.
   * @default no limit except the option `max` of each provider
   */
  readonly budget?: TenantBudgetOptions;
  /**
   * Sends `tenancy.invalidate()` to other processes, for example through Redis. @default this
   * process only
   */
  readonly invalidations?: TenantInvalidations;
  readonly verify?: TenantVerifyOptions;
  /** Default mode of routes. @default 'tenant' */
  readonly mode?: TenantRouteMode;
  readonly errors?: TenantErrorOptions;
  /** Callbacks for audit and metrics. @default none */
  readonly hooks?: TenantHooks;
}
