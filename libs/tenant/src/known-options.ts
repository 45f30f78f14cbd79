import { TenantOptionError } from './tenant.errors.js';
import type {
  TenantAdapterOptions,
  TenantCacheOptions,
  TenantErrorOptions,
  TenantHooks,
  TenantIdentifierOptions,
  TenantPathOptions,
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
export function refuseUnknownOptions(options: TenantAdapterOptions): void {
  refuseOthers(options, KNOWN, '');
  for (const [name, known] of Object.entries(NESTED)) {
    const given: unknown = options[name as keyof typeof NESTED];
    if (given === undefined || (name === 'cache' && given === false)) continue;
    if (!isObject(given)) {
      throw new TenantOptionError(
        `TenantModule.forRoot({ ${name} }) must be an object with ${namesOf(known)}.`,
      );
    }
    refuseOthers(given, known, name);
  }
  for (const strategy of [options.strategy].flat() as unknown[]) {
    if (!isObject(strategy)) continue;
    const known = STRATEGIES[strategy['type'] as TenantStrategyDef['type']] as Names | undefined;
    if (known) refuseOthers(strategy, known, 'strategy');
  }
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

type Names<T = Readonly<Record<string, unknown>>> = Readonly<Record<keyof T, true>>;

const SUBDOMAIN: Names<TenantSubdomainOptions> = { baseDomains: true, reserved: true, level: true };
const PATH: Names<TenantPathOptions> = { after: true, segment: true, reserved: true, strip: true };
const IDENTIFIER: Names<TenantIdentifierOptions> = {
  pattern: true,
  maxLength: true,
  normalize: true,
};
const TRUST: Names<TenantTrustOptions> = { header: true, forwardedHost: true };
const CACHE: Names<TenantCacheOptions> = { ttlMs: true, negativeTtlMs: true, max: true };
const VERIFY: Names<TenantVerifyOptions> = { principal: true, required: true };
const ERRORS: Names<TenantErrorOptions> = { opaque: true };
const HOOKS: Names<TenantHooks> = { resolved: true, rejected: true, central: true };

const NESTED = {
  subdomain: SUBDOMAIN,
  path: PATH,
  identifier: IDENTIFIER,
  trust: TRUST,
  cache: CACHE,
  verify: VERIFY,
  errors: ERRORS,
  hooks: HOOKS,
} as const;

const KNOWN: Names<TenantAdapterOptions> = {
  strategy: true,
  header: true,
  queryParam: true,
  onTenantNotFound: true,
  combine: true,
  subdomain: true,
  path: true,
  identifier: true,
  trust: true,
  store: true,
  cache: true,
  verify: true,
  mode: true,
  errors: true,
  hooks: true,
};

const STRATEGIES: { readonly [T in TenantStrategyDef['type']]: Names<StrategyOf<T>> } = {
  header: { type: true, header: true },
  query: { type: true, queryParam: true },
  subdomain: { type: true, ...SUBDOMAIN },
  path: { type: true, ...PATH },
  function: { type: true, name: true, resolve: true },
};
type StrategyOf<T> = Extract<TenantStrategyDef, { readonly type: T }>;

function refuseOthers(given: object, known: Names, name: string): void {
  const unknown = Object.keys(given).find((key) => !Object.hasOwn(known, key));
  if (unknown === undefined) return;
  const written = name === '' ? unknown : `${name}: { ${unknown} }`;
  throw new TenantOptionError(
    `TenantModule.forRoot({ ${written} }) is no option. There are ${namesOf(known)}.`,
  );
}

function namesOf(known: Names): string {
  return Object.keys(known).join(', ');
}

function isObject(given: unknown): given is Readonly<Record<string, unknown>> {
  return typeof given === 'object' && given !== null && !Array.isArray(given);
}
