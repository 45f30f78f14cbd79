import {
  atLeast,
  callback,
  count,
  flag,
  group,
  kind,
  oneOf,
  type OptionTable,
  readOptions,
  rule,
  text,
  texts,
} from '@fledge-internal/options';
import { refuseClass } from '../option-rules.js';
import type {
  TenantAdapterOptions,
  TenantIdentifierOptions,
  TenantPathOptions,
  TenantStrategyDef,
  TenantSubdomainOptions,
  TenantTrustOptions,
} from '../tenant.options.js';
import { type ResolvedIdentifierRule, wholePattern } from './identifier.js';

/** The identification options after all defaults are applied. */
export interface IdentifyOptions {
  readonly strategy: TenantAdapterOptions['strategy'];
  readonly header: string;
  readonly queryParam: string;
  readonly combine: 'first' | 'agree';
  readonly subdomain: ResolvedSubdomainOptions;
  readonly path: Required<TenantPathOptions>;
  readonly identifier: ResolvedIdentifierRule;
  readonly trust: Required<TenantTrustOptions>;
}

export interface ResolvedSubdomainOptions extends Required<
  Omit<TenantSubdomainOptions, 'baseDomains'>
> {
  readonly baseDomains: readonly string[] | undefined;
}

const SUBDOMAIN = {
  baseDomains: texts.optional,
  reserved: texts.default(['www']),
  level: oneOf('first', 'last', 'single').default('first'),
} satisfies OptionTable<TenantSubdomainOptions>;

const PATH = {
  after: text.default(''),
  segment: atLeast(0).default(0),
  reserved: texts.default([]),
  strip: flag.default(false),
} satisfies OptionTable<TenantPathOptions>;

const IDENTIFIER = {
  pattern: kind<RegExp>(
    'a regular expression, such as /^[a-z0-9-]+$/',
    (value) => value instanceof RegExp,
  ).default(/^[A-Za-z0-9][A-Za-z0-9._-]*$/),
  maxLength: count.default(50),
  normalize: callback<(identifier: string) => string>().optional,
} satisfies OptionTable<TenantIdentifierOptions>;

const TRUST = {
  header: kind<NonNullable<TenantTrustOptions['header']>>(
    'true, false, a function or a list such as ["10.0.0.0/8", "::1"]',
    (value) => typeof value === 'boolean' || typeof value === 'function' || Array.isArray(value),
  ).default(true),
  forwardedHost: flag.default(false),
} satisfies OptionTable<TenantTrustOptions>;

type StrategyOf<T> = Extract<TenantStrategyDef, { readonly type: T }>;

/** If an option is missing in a strategy object, the module's option applies. */
const STRATEGIES = {
  header: {
    type: oneOf('header').required,
    header: text.optional,
  } satisfies OptionTable<StrategyOf<'header'>>,
  query: {
    type: oneOf('query').required,
    queryParam: text.optional,
  } satisfies OptionTable<StrategyOf<'query'>>,
  subdomain: {
    type: oneOf('subdomain').required,
    ...SUBDOMAIN,
  } satisfies OptionTable<{ readonly type: 'subdomain' } & TenantSubdomainOptions>,
  path: {
    type: oneOf('path').required,
    ...PATH,
  } satisfies OptionTable<{ readonly type: 'path' } & TenantPathOptions>,
  function: {
    type: oneOf('function').required,
    name: text.required,
    resolve: callback<StrategyOf<'function'>['resolve']>().required,
  } satisfies OptionTable<StrategyOf<'function'>>,
};

/** `createSources` checks the names, paths, domains and addresses in these options. */
export const IDENTIFY = {
  strategy: rule<TenantAdapterOptions['strategy'], TenantAdapterOptions['strategy']>(
    (given, place) => {
      // `createSources` rejects unknown strategies.
      for (const strategy of [given].flat() as unknown[]) {
        refuseClass(strategy, place, 'a function (req) => identifier');
        const { type } = Object(strategy) as Partial<TenantStrategyDef>;
        if (type !== undefined && Object.hasOwn(STRATEGIES, type)) {
          readOptions(strategy, STRATEGIES[type], place);
        }
      }
      return given;
    },
  ),
  header: text.default('x-tenant-id'),
  queryParam: text.default('tenant'),
  combine: oneOf('first', 'agree').default('first'),
  subdomain: group<TenantSubdomainOptions, typeof SUBDOMAIN>(SUBDOMAIN),
  path: group<TenantPathOptions, typeof PATH>(PATH),
  identifier: rule((given: TenantIdentifierOptions | undefined, place): ResolvedIdentifierRule => {
    const read = readOptions(given ?? {}, IDENTIFIER, place);
    return { ...read, pattern: wholePattern(read.pattern) };
  }),
  trust: group<TenantTrustOptions, typeof TRUST>(TRUST),
} satisfies OptionTable<Pick<TenantAdapterOptions, keyof IdentifyOptions>>;
