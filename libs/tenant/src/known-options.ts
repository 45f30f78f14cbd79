import { type KnownOptions, refuseUnknownOptions } from '@fledge/core/packages';
import { TenantOptionError } from './tenant.errors.js';
import type {
  TenantAdapterOptions,
  TenantBudgetOptions,
  TenantCacheOptions,
  TenantErrorOptions,
  TenantHooks,
  TenantIdentifierOptions,
  TenantPathOptions,
  TenantRouteMode,
  TenantStrategyDef,
  TenantSubdomainOptions,
  TenantTrustOptions,
  TenantVerifyOptions,
} from './tenant.options.js';

/**
 * Refuses names that are no options, also in nested objects and strategies: a misspelt `verify`
 * leaves every tenant to anyone who asks for it, and so does a misspelt `verify.required`.
 * @throws TenantOptionError
 */
export function refuseUnknownTenantOptions(options: TenantAdapterOptions): void {
  refuseOthers(options, KNOWN);
  for (const strategy of [options.strategy].flat() as unknown[]) {
    const { type } = Object(strategy) as Partial<TenantStrategyDef>;
    if (type === undefined || !Object.hasOwn(STRATEGIES, type)) continue;
    refuseOthers({ strategy }, { strategy: { known: STRATEGIES[type] } });
  }
}

/**
 * The mode, if it is one.
 * @throws TenantOptionError
 */
export function checkedMode(mode: TenantRouteMode, call: string): TenantRouteMode {
  if (['tenant', 'universal', 'central'].includes(mode)) return mode;
  throw new TenantOptionError(
    `${call}({ mode }) is ${JSON.stringify(mode)}. Pass 'tenant', 'universal' or 'central'.`,
  );
}

/**
 * Refuses a switch that is neither true nor false, such as the text "true" of an environment
 * variable, which would leave it off.
 * @throws TenantOptionError
 */
export function refuseUnclearSwitches(options: TenantAdapterOptions): void {
  const switches = {
    'verify.required': options.verify?.required,
    'errors.opaque': options.errors?.opaque,
    'path.strip': options.path?.strip,
    'trust.forwardedHost': options.trust?.forwardedHost,
  };
  for (const [name, given] of Object.entries(switches)) {
    if (given === undefined || typeof given === 'boolean') continue;
    throw new TenantOptionError(
      `TenantModule.forRoot: ${name} is ${JSON.stringify(given)}. Pass true or false.`,
    );
  }
}

const SUBDOMAIN: KnownOptions<TenantSubdomainOptions> = {
  baseDomains: true,
  reserved: true,
  level: true,
};
const PATH: KnownOptions<TenantPathOptions> = {
  after: true,
  segment: true,
  reserved: true,
  strip: true,
};
const IDENTIFIER: KnownOptions<TenantIdentifierOptions> = {
  pattern: true,
  maxLength: true,
  normalize: true,
};
const TRUST: KnownOptions<TenantTrustOptions> = { header: true, forwardedHost: true };
const CACHE: KnownOptions<TenantCacheOptions> = { ttlMs: true, negativeTtlMs: true, max: true };
const BUDGET: KnownOptions<TenantBudgetOptions> = { connections: true, waitMs: true };
const VERIFY: KnownOptions<TenantVerifyOptions> = { principal: true, required: true };
const ERRORS: KnownOptions<TenantErrorOptions> = { opaque: true };
const HOOKS: KnownOptions<TenantHooks> = { resolved: true, rejected: true, central: true };

const KNOWN: KnownOptions<TenantAdapterOptions> = {
  strategy: true,
  header: true,
  queryParam: true,
  onTenantNotFound: true,
  combine: true,
  subdomain: { known: SUBDOMAIN },
  path: { known: PATH },
  identifier: { known: IDENTIFIER },
  trust: { known: TRUST },
  store: true,
  cache: { known: CACHE, or: [false] },
  budget: { known: BUDGET },
  invalidations: true,
  verify: { known: VERIFY },
  mode: true,
  errors: { known: ERRORS },
  hooks: { known: HOOKS },
};

const STRATEGIES: { readonly [T in TenantStrategyDef['type']]: KnownOptions<StrategyOf<T>> } = {
  header: { type: true, header: true },
  query: { type: true, queryParam: true },
  subdomain: { type: true, ...SUBDOMAIN },
  path: { type: true, ...PATH },
  function: { type: true, name: true, resolve: true },
};
type StrategyOf<T> = Extract<TenantStrategyDef, { readonly type: T }>;

function refuseOthers(given: object, known: KnownOptions): void {
  refuseUnknownOptions(given, known, 'TenantModule.forRoot', TenantOptionError);
}
