import { InvalidQueryConfigError, type QueryProblem } from '../query.errors.js';
import { onceFor } from './once-for.js';
import { OPT_IN_OPERATORS, type OptInOperator } from './operators.js';

/** How much one query may ask for. Beyond `maxSort` items are dropped, beyond the others it is a 400. */
export interface QueryLimits {
  /** Allowed filters of one query. @default 50 */
  readonly maxFilters: number;
  /** Allowed sort items of one query. @default 10 */
  readonly maxSort: number;
  /** Items of one list value. @default 100 */
  readonly maxListItems: number;
  /** Code points of one filter value, or of one item of a list value. @default 1000 */
  readonly maxValueLength: number;
  /** Larger pages become the last one below it. At most 2147483647: databases wrap or fail there. @default 2147483647 */
  readonly maxOffset: number;
}

/** How `parseQuery` reads what a config allows. */
export interface QueryOptions<OptIn extends OptInOperator = never> {
  /** @default 20, or `maxLimit` when that is less */
  readonly defaultLimit?: number | undefined;
  /** @default 100 */
  readonly maxLimit?: number | undefined;
  /** Code points of `q`; the rest is cut off. @default 200 */
  readonly maxSearchLength?: number | undefined;
  readonly limits?: Partial<QueryLimits> | undefined;
  /** Operators beyond the eleven. @default none */
  readonly operators?: readonly OptIn[] | undefined;
  /** Told of everything that is dropped, cut or refused. @default nobody */
  readonly onReject?: ((problem: QueryProblem) => void) | undefined;
  /** `throw`: whatever would be dropped or cut is a 400 that lists it all. @default 'drop' */
  readonly onInvalid?: 'drop' | 'throw' | undefined;
}

/** Options with every default applied. */
export interface ResolvedQueryOptions extends QueryLimits {
  readonly defaultLimit: number;
  readonly maxLimit: number;
  readonly maxSearchLength: number;
  readonly operators: ReadonlySet<OptInOperator>;
  readonly onReject: ((problem: QueryProblem) => void) | undefined;
  readonly strict: boolean;
}

/**
 * Applies the defaults; an options object is looked at once.
 * @throws InvalidQueryConfigError
 */
export const resolveQueryOptions: (options: QueryOptions<OptInOperator>) => ResolvedQueryOptions =
  onceFor((options) => {
    const { limits = {}, operators = [], onReject, onInvalid = 'drop' } = options;
    const maxLimit = countOf('maxLimit', options.maxLimit, 100);
    const unknown = operators.find((operator) => !OPT_IN_OPERATORS.includes(operator));
    if (unknown !== undefined) {
      throw new InvalidQueryConfigError(
        `operators has "${String(unknown)}".`,
        `What can be opted into: ${OPT_IN_OPERATORS.join(', ')}.`,
      );
    }
    return {
      defaultLimit: Math.min(countOf('defaultLimit', options.defaultLimit, 20), maxLimit),
      maxLimit,
      maxSearchLength: countOf('maxSearchLength', options.maxSearchLength, 200),
      maxFilters: countOf('limits.maxFilters', limits.maxFilters, 50),
      maxSort: countOf('limits.maxSort', limits.maxSort, 10),
      maxListItems: countOf('limits.maxListItems', limits.maxListItems, 100),
      maxValueLength: countOf('limits.maxValueLength', limits.maxValueLength, 1000),
      maxOffset: countOf('limits.maxOffset', limits.maxOffset, MAX_INT32),
      operators: new Set(operators),
      onReject,
      strict: onInvalid === 'throw',
    };
  });

const MAX_INT32 = 2 ** 31 - 1;

function countOf(name: string, given: number | undefined, byDefault: number): number {
  const value = given ?? byDefault;
  if (Number.isInteger(value) && value >= 1 && value <= MAX_INT32) return value;
  throw new InvalidQueryConfigError(
    `${name} is ${String(value)}.`,
    `Make it a whole number from 1 to ${MAX_INT32}.`,
  );
}
