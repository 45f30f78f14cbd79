import {
  atLeast,
  callback,
  flag,
  group,
  groupIfGiven,
  kind,
  oneOf,
  type OptionTable,
  Place,
  readOptions,
  someOf,
} from '@fledge-internal/options';
import { cacheByObject } from './config/cache-by-object.js';
import { OPT_IN_OPERATORS, type OptInOperator } from './config/operators.js';
import { MAX_RELATED_FILTERS } from './parse/options-for-adapters.js';
import { InvalidQueryConfigError, type QueryProblem } from './query.errors.js';
import type {
  CursorOptions,
  CursorSecrets,
  QueryLimits,
  QueryModuleOptions,
  QueryOptions,
  RouteQueryOptions,
} from './query.options.js';

/** Options with every default applied. */
export interface ResolvedQueryOptions extends QueryLimits {
  readonly defaultLimit: number;
  readonly maxLimit: number;
  readonly maxSearchLength: number;
  readonly operators: ReadonlySet<OptInOperator>;
  readonly where: boolean;
  readonly cursors: boolean;
  readonly pastEnd: 'empty' | 'last';
  readonly onReject: ((problem: QueryProblem) => void) | undefined;
  readonly strict: boolean;
}

const MAX_INT32 = 2_147_483_647;

const wholeNumber = atLeast(1, MAX_INT32);

const LIMITS = {
  maxFilters: wholeNumber.default(50),
  maxRelatedFilters: wholeNumber.default(MAX_RELATED_FILTERS),
  maxSort: wholeNumber.default(10),
  maxListItems: wholeNumber.default(100),
  maxValueLength: wholeNumber.default(1000),
  maxOffset: wholeNumber.default(MAX_INT32),
  maxFacets: wholeNumber.default(10),
  maxAggregates: wholeNumber.default(10),
  maxGroupKeys: wholeNumber.default(3),
  maxGroups: atLeast(1, 1000).default(100),
} satisfies OptionTable<Partial<QueryLimits>>;

const CURSORS = {
  // Checked later, when the secret signs a cursor.
  secret: kind<CursorSecrets>('a secret', (value) => value !== undefined).required,
  scope: callback<() => string | undefined>().optional,
} satisfies OptionTable<CursorOptions>;

const OPTIONS = {
  defaultLimit: wholeNumber.default(20),
  maxLimit: wholeNumber.default(100),
  maxSearchLength: wholeNumber.default(200),
  limits: group<Partial<QueryLimits>, typeof LIMITS>(LIMITS),
  operators: someOf(...OPT_IN_OPERATORS),
  where: flag.default(false),
  cursors: flag.default(false),
  pastEnd: oneOf('empty', 'last').default('empty'),
  onReject: callback<(problem: QueryProblem) => void>().optional,
  onInvalid: oneOf('drop', 'throw').default('drop'),
} satisfies OptionTable<QueryOptions<OptInOperator>>;

/** The result is cached by object identity. @throws InvalidQueryConfigError */
export const resolveQueryOptions: (options: QueryOptions<OptInOperator>) => ResolvedQueryOptions =
  cacheByObject((options) => {
    const place = new Place(toConfigError, (path) =>
      path === '' ? 'The argument with query options' : `The query option \`${path}\``,
    );
    const { limits, operators, onInvalid, ...read } = readOptions(options, OPTIONS, place);
    checkDefaultLimit(options, place);
    return {
      ...read,
      ...limits,
      defaultLimit: Math.min(read.defaultLimit, read.maxLimit),
      operators: new Set(operators),
      strict: onInvalid === 'throw',
    };
  });

const MODULE_OPTIONS = {
  ...OPTIONS,
  linkHeader: flag.default(false),
  cursors: groupIfGiven<CursorOptions, typeof CURSORS>(CURSORS),
} satisfies OptionTable<QueryModuleOptions>;

/** @throws InvalidQueryConfigError */
export function checkModuleOptions(options: QueryModuleOptions): void {
  const place = placeOfCall('QueryModule.forRoot');
  readOptions(options, MODULE_OPTIONS, place);
  checkDefaultLimit(options, place);
}

function checkDefaultLimit(
  { defaultLimit, maxLimit }: Pick<RouteQueryOptions, 'defaultLimit' | 'maxLimit'>,
  place: Place,
): void {
  if (defaultLimit === undefined || maxLimit === undefined || defaultLimit <= maxLimit) return;
  const must = `at most \`maxLimit\`, which is ${maxLimit}`;
  throw place.at('defaultLimit').wrong(defaultLimit, must);
}

/**
 * @param call the call that receives the options: `QueryModule.forRoot`
 * @param which text after the call, if there are several such calls, for example ` of
 * NotesController.list`
 */
export function placeOfCall(call: string, which = ''): Place {
  return Place.ofCall(toConfigError, call, which);
}

/**
 * The options of the route override the options of `QueryModule`. If only one of them has
 * `maxLimit`, it also limits the `defaultLimit` of the other.
 */
export function mergeOptions(
  module: QueryModuleOptions | undefined,
  route: RouteQueryOptions | undefined,
): RouteQueryOptions {
  if (module === undefined) return route ?? NO_OPTIONS;
  const defaults = routeDefaultsOf(module);
  if (route === undefined) return defaults;
  const limits = { ...defaults.limits, ...definedOf(route.limits ?? {}) };
  const merged = { ...defaults, ...definedOf(route), limits };
  const { defaultLimit, maxLimit } = merged;
  const isOwn = route.defaultLimit !== undefined && route.maxLimit !== undefined;
  if (isOwn || defaultLimit === undefined || maxLimit === undefined) return merged;
  return defaultLimit > maxLimit ? { ...merged, defaultLimit: maxLimit } : merged;
}

/**
 * The module options that routes also have. `cursors` is omitted: the module sets the secret, and a
 * route turns cursors on.
 */
const routeDefaultsOf = cacheByObject(
  ({ linkHeader: _, cursors: _secret, ...defaults }: QueryModuleOptions) =>
    defaults as RouteQueryOptions,
);

/** Used to parse a query again, because its problems were already reported. */
export function withoutReports(options: RouteQueryOptions): RouteQueryOptions {
  return { ...options, onReject: undefined };
}

/** A single shared object, because `resolveQueryOptions` caches by identity. */
const NO_OPTIONS: RouteQueryOptions = {};

function definedOf<T extends object>(record: T): Partial<T> {
  const entries = Object.entries(record).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Partial<T>;
}

function toConfigError(message: string): Error {
  return new InvalidQueryConfigError(message);
}
