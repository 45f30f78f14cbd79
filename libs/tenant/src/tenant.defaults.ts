import {
  atLeast,
  callback,
  count,
  flag,
  group,
  groupIfGiven,
  isObject,
  kind,
  milliseconds,
  oneOf,
  type OptionTable,
  type Place,
  readOptions,
  rule,
  text,
  texts,
} from '@fledge-internal/options';
import { type ResolvedIdentifierRule, identifierRuleOf } from './identify/identifier.js';
import { placeOf, routeMode } from './option-rules.js';
import { TenantOptionError } from './tenant.errors.js';
import type {
  TenantAdapterOptions,
  TenantBudgetOptions,
  TenantCacheOptions,
  TenantErrorOptions,
  TenantHooks,
  TenantIdentifierOptions,
  TenantInvalidations,
  TenantPathOptions,
  TenantRouteMode,
  TenantStore,
  TenantStrategyDef,
  TenantSubdomainOptions,
  TenantTrustOptions,
  TenantVerifyOptions,
} from './tenant.options.js';

/** The options with every default applied. */
export interface ResolvedTenantOptions extends TenantAdapterOptions {
  readonly header: string;
  readonly queryParam: string;
  readonly mode: TenantRouteMode;
  readonly identifier: ResolvedIdentifierRule;
  readonly errors: NonNullable<TenantAdapterOptions['errors']>;
  readonly hooks: NonNullable<TenantAdapterOptions['hooks']>;
}

/**
 * Checks the options and applies the defaults. `identificationOf` checks the names of headers and parameters, paths,
 * domains and addresses.
 * @throws TenantOptionError
 */
export function resolveTenantOptions(
  options: TenantAdapterOptions | undefined,
): ResolvedTenantOptions {
  // JavaScript callers may pass anything, and an async factory may return undefined.
  if (typeof options !== 'object') {
    throw new TenantOptionError(
      "TenantModule has no options. Set how requests name their tenant: forRoot({ strategy: 'header' }).",
    );
  }
  readOptions(options, OPTIONS, placeOf('TenantModule.forRoot'));
  return {
    ...options,
    header: options.header ?? 'x-tenant-id',
    queryParam: options.queryParam ?? 'tenant',
    mode: options.mode ?? 'tenant',
    identifier: identifierRuleOf(options.identifier),
    errors: options.errors ?? {},
    hooks: options.hooks ?? {},
  };
}

const SUBDOMAIN = {
  baseDomains: texts.optional,
  reserved: texts.optional,
  level: oneOf('first', 'last', 'single').optional,
} satisfies OptionTable<TenantSubdomainOptions>;

const PATH = {
  after: text.optional,
  segment: atLeast(0).optional,
  reserved: texts.optional,
  strip: flag.optional,
} satisfies OptionTable<TenantPathOptions>;

const IDENTIFIER = {
  pattern: kind<RegExp>(
    'a regular expression, such as /^[a-z0-9-]+$/',
    (value) => value instanceof RegExp,
  ).optional,
  maxLength: count.optional,
  normalize: callback<(identifier: string) => string>().optional,
} satisfies OptionTable<TenantIdentifierOptions>;

const TRUST = {
  header: kind<NonNullable<TenantTrustOptions['header']>>(
    'true, false, a function or a list such as ["10.0.0.0/8", "::1"]',
    (value) => typeof value === 'boolean' || typeof value === 'function' || Array.isArray(value),
  ).optional,
  forwardedHost: flag.optional,
} satisfies OptionTable<TenantTrustOptions>;

const CACHE = {
  ttlMs: milliseconds.optional,
  negativeTtlMs: milliseconds.optional,
  max: count.optional,
} satisfies OptionTable<TenantCacheOptions>;

const BUDGET = {
  connections: count.required,
  waitMs: milliseconds.optional,
} satisfies OptionTable<TenantBudgetOptions>;

const VERIFY = {
  principal: callback<TenantVerifyOptions['principal']>().required,
  required: flag.optional,
} satisfies OptionTable<TenantVerifyOptions>;

const ERRORS = { opaque: flag.optional } satisfies OptionTable<TenantErrorOptions>;

const HOOKS = {
  resolved: callback<NonNullable<TenantHooks['resolved']>>().optional,
  rejected: callback<NonNullable<TenantHooks['rejected']>>().optional,
  central: callback<NonNullable<TenantHooks['central']>>().optional,
} satisfies OptionTable<TenantHooks>;

const STRATEGIES: { readonly [T in TenantStrategyDef['type']]: OptionTable<StrategyOf<T>> } = {
  header: { type: oneOf('header').required, header: text.optional },
  query: { type: oneOf('query').required, queryParam: text.optional },
  subdomain: { type: oneOf('subdomain').required, ...SUBDOMAIN },
  path: { type: oneOf('path').required, ...PATH },
  function: {
    type: oneOf('function').required,
    name: text.required,
    resolve: callback<StrategyOf<'function'>['resolve']>().required,
  },
};
type StrategyOf<T> = Extract<TenantStrategyDef, { readonly type: T }>;

const OPTIONS = {
  strategy: rule<TenantAdapterOptions['strategy'], TenantAdapterOptions['strategy']>(
    (given, place) => {
      // `identificationOf` refuses strategies that there are not.
      for (const strategy of [given].flat() as unknown[]) {
        const { type } = Object(strategy) as Partial<TenantStrategyDef>;
        if (type !== undefined && Object.hasOwn(STRATEGIES, type)) {
          readOptions(strategy, STRATEGIES[type], place);
        }
      }
      return given;
    },
  ),
  header: text.optional,
  queryParam: text.optional,
  onTenantNotFound: callback<NonNullable<TenantAdapterOptions['onTenantNotFound']>>().optional,
  combine: oneOf('first', 'agree').optional,
  subdomain: groupIfGiven<TenantSubdomainOptions, typeof SUBDOMAIN>(SUBDOMAIN),
  path: groupIfGiven<TenantPathOptions, typeof PATH>(PATH),
  identifier: groupIfGiven<TenantIdentifierOptions, typeof IDENTIFIER>(IDENTIFIER),
  trust: groupIfGiven<TenantTrustOptions, typeof TRUST>(TRUST),
  store: rule<TenantAdapterOptions['store'], unknown>((given, place) => {
    if (given === undefined || typeof given === 'function') return given;
    return requireMethods<TenantStore>(given, place, ['find'], ['list', 'save', 'remove']);
  }),
  cache: rule<TenantAdapterOptions['cache'], unknown>((given, place) =>
    given === undefined || given === false ? given : readOptions(given, CACHE, place, ' or false'),
  ),
  budget: groupIfGiven<TenantBudgetOptions, typeof BUDGET>(BUDGET),
  invalidations: rule<TenantAdapterOptions['invalidations'], unknown>((given, place) =>
    given === undefined
      ? given
      : requireMethods<TenantInvalidations>(given, place, ['start', 'send', 'stop']),
  ),
  verify: groupIfGiven<TenantVerifyOptions, typeof VERIFY>(VERIFY),
  mode: routeMode.optional,
  errors: group<TenantErrorOptions, typeof ERRORS>(ERRORS),
  hooks: group<TenantHooks, typeof HOOKS>(HOOKS),
} satisfies OptionTable<TenantAdapterOptions>;

/** Checks an object of the application, which may be an instance of a class and have more than these methods. */
function requireMethods<Given extends object>(
  given: Given,
  place: Place,
  required: readonly (keyof Given & string)[],
  optional: readonly (keyof Given & string)[] = [],
): Given {
  if (!isObject(given)) {
    throw place.wrong(given, `an object with the functions ${required.join(', ')}`);
  }
  for (const name of [...required, ...optional]) {
    const method: unknown = given[name];
    if (typeof method === 'function' || (method === undefined && optional.includes(name))) continue;
    throw place.at(name).wrong(method, 'a function');
  }
  return given;
}
