import {
  callback,
  checked,
  count,
  flag,
  group,
  groupIfGiven,
  isObject,
  milliseconds,
  type OptionTable,
  type Place,
  readOptions,
  rule,
} from '@fledge-internal/options';
import { IDENTIFY, type IdentifyOptions } from './identify/identify-options.js';
import { placeOf, refuseClass, routeMode } from './option-rules.js';
import { TenantOptionError } from './tenant.errors.js';
import type {
  TenantAdapterOptions,
  TenantBudgetOptions,
  TenantCacheOptions,
  TenantErrorOptions,
  TenantHooks,
  TenantInvalidations,
  TenantRouteMode,
  TenantStore,
  TenantVerifyOptions,
} from './tenant.options.js';

/**
 * The options after all defaults are applied. The type is declared explicitly, because exported
 * classes make the type public.
 */
export interface ResolvedTenantOptions extends IdentifyOptions {
  readonly onTenantNotFound: TenantAdapterOptions['onTenantNotFound'];
  readonly store: TenantAdapterOptions['store'];
  readonly cache: Required<TenantCacheOptions> | false;
  readonly budget: Required<TenantBudgetOptions> | undefined;
  readonly invalidations: TenantInvalidations | undefined;
  readonly verify: TenantVerifyOptions | undefined;
  readonly mode: TenantRouteMode;
  readonly errors: Required<TenantErrorOptions>;
  readonly hooks: TenantHooks;
}

/** @throws TenantOptionError */
export function resolveTenantOptions(
  options: TenantAdapterOptions | undefined,
): ResolvedTenantOptions {
  // An async factory may return undefined.
  if (options === undefined) {
    throw new TenantOptionError(
      "TenantModule has no options. Set the strategy that finds the tenant of a request: forRoot({ strategy: 'header' }).",
    );
  }
  return readOptions(options, OPTIONS, placeOf('TenantModule.forRoot'));
}

const CACHE = {
  ttlMs: milliseconds.default(60_000),
  negativeTtlMs: milliseconds.default(5_000),
  max: count.default(10_000),
} satisfies OptionTable<TenantCacheOptions>;

const BUDGET = {
  connections: count.required,
  waitMs: milliseconds.default(5_000),
} satisfies OptionTable<TenantBudgetOptions>;

const VERIFY = {
  principal: callback<TenantVerifyOptions['principal']>().required,
  required: flag.optional,
} satisfies OptionTable<TenantVerifyOptions>;

const ERRORS = { opaque: flag.default(false) } satisfies OptionTable<TenantErrorOptions>;

const HOOKS = {
  resolved: callback<NonNullable<TenantHooks['resolved']>>().optional,
  rejected: callback<NonNullable<TenantHooks['rejected']>>().optional,
  central: callback<NonNullable<TenantHooks['central']>>().optional,
} satisfies OptionTable<TenantHooks>;

const OPTIONS = {
  ...IDENTIFY,
  onTenantNotFound: callback<NonNullable<TenantAdapterOptions['onTenantNotFound']>>().optional,
  store: rule<TenantAdapterOptions['store'], TenantAdapterOptions['store']>((given, place) => {
    refuseClass(given, place, 'an instance or a function');
    if (given === undefined || typeof given === 'function') return given;
    return requireMethods<TenantStore>(given, place, ['find'], ['list', 'save', 'remove']);
  }),
  cache: rule((given: TenantAdapterOptions['cache'], place) =>
    given === false
      ? given
      : readOptions(given === undefined ? {} : given, CACHE, place, ' or false'),
  ),
  budget: groupIfGiven<TenantBudgetOptions, typeof BUDGET>(BUDGET),
  invalidations: rule((given: TenantInvalidations | undefined, place) =>
    given === undefined ? given : requireMethods(given, place, ['start', 'send', 'stop']),
  ),
  // Not copied, because the functions of these objects may use `this`.
  verify: checked(group<TenantVerifyOptions, typeof VERIFY>(VERIFY)).optional,
  mode: routeMode.default('tenant'),
  errors: group<TenantErrorOptions, typeof ERRORS>(ERRORS),
  hooks: checked<TenantHooks>(group<TenantHooks, typeof HOOKS>(HOOKS)).default({}),
} satisfies OptionTable<TenantAdapterOptions>;

/** `given` may be an instance of a class, and may have other methods. */
function requireMethods<Given extends object>(
  given: Given,
  place: Place,
  required: readonly (keyof Given & string)[],
  optional: readonly (keyof Given & string)[] = [],
): Given {
  if (!isObject(given)) {
    throw place.wrong(given, `an object with these functions: ${required.join(', ')}`);
  }
  for (const name of [...required, ...optional]) {
    const method: unknown = given[name];
    if (typeof method === 'function' || (method === undefined && optional.includes(name))) continue;
    throw place.at(name).wrong(method, 'a function');
  }
  return given;
}
