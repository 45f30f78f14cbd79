import { onceFor } from './config/once-for.js';
import { OPT_IN_OPERATORS, type OptInOperator } from './config/operators.js';
import { MAX_RELATED_FILTERS } from './parse/related-limit.js';
import { InvalidQueryConfigError, type QueryProblem } from './query.errors.js';
import type {
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
  readonly onReject: ((problem: QueryProblem) => void) | undefined;
  readonly strict: boolean;
}

/**
 * Checks options and applies the defaults. The result is cached by object identity.
 * @throws InvalidQueryConfigError
 */
export const resolveQueryOptions: (options: QueryOptions<OptInOperator>) => ResolvedQueryOptions =
  onceFor((options) => {
    const { limits = {}, operators = [], where = false, onReject, onInvalid = 'drop' } = options;
    const maxLimit = countOption('maxLimit', options.maxLimit, 100);
    const unknown = operators.find((operator) => !OPT_IN_OPERATORS.includes(operator));
    if (unknown !== undefined) {
      throw new InvalidQueryConfigError(
        `operators contains "${String(unknown)}", which is not an opt-in operator.`,
        `Use ${OPT_IN_OPERATORS.join(' or ')}.`,
      );
    }
    return {
      defaultLimit: Math.min(countOption('defaultLimit', options.defaultLimit, 20), maxLimit),
      maxLimit,
      maxSearchLength: countOption('maxSearchLength', options.maxSearchLength, 200),
      maxFilters: countOption('limits.maxFilters', limits.maxFilters, 50),
      maxRelatedFilters: countOption(
        'limits.maxRelatedFilters',
        limits.maxRelatedFilters,
        MAX_RELATED_FILTERS,
      ),
      maxSort: countOption('limits.maxSort', limits.maxSort, 10),
      maxListItems: countOption('limits.maxListItems', limits.maxListItems, 100),
      maxValueLength: countOption('limits.maxValueLength', limits.maxValueLength, 1000),
      maxOffset: countOption('limits.maxOffset', limits.maxOffset, MAX_INT32),
      operators: new Set(operators),
      where,
      cursors: options.cursors === true,
      onReject,
      strict: onInvalid === 'throw',
    };
  });

const MAX_INT32 = 2 ** 31 - 1;

function countOption(name: string, given: number | undefined, byDefault: number): number {
  const value = given ?? byDefault;
  if (Number.isInteger(value) && value >= 1 && value <= MAX_INT32) return value;
  throw new InvalidQueryConfigError(
    `${name} is ${String(value)}.`,
    `Set it to a whole number from 1 to ${MAX_INT32}.`,
  );
}

/** The options of a route merged over those of `QueryModule`. */
export function mergeOptions(
  module: QueryModuleOptions | undefined,
  route: RouteQueryOptions | undefined,
): RouteQueryOptions {
  if (module === undefined) return route ?? NO_OPTIONS;
  const defaults = routeDefaultsOf(module);
  if (route === undefined) return defaults;
  const limits = { ...defaults.limits, ...definedOf(route.limits ?? {}) };
  return { ...defaults, ...definedOf(route), limits };
}

/** The options of the module that routes have too. Its `cursors` is the secret; theirs turns cursors on. */
const routeDefaultsOf = onceFor((module: QueryModuleOptions): RouteQueryOptions => {
  return { ...module, cursors: undefined };
});

/** The options without `onReject`, for a query that is parsed again: its problems were reported before. */
export function withoutReports(options: RouteQueryOptions): RouteQueryOptions {
  return { ...options, onReject: undefined };
}

/** One shared object, because `resolveQueryOptions` caches by identity. */
const NO_OPTIONS: RouteQueryOptions = {};

function definedOf<T extends object>(record: T): Partial<T> {
  const entries = Object.entries(record).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Partial<T>;
}
