/** Base class of this package's errors. The `code` is stable. Messages may change. */
export abstract class QueryError extends Error {
  abstract readonly code: string;

  override get name(): string {
    return this.constructor.name;
  }
}

/** The reason why an item of a query was dropped, shortened or rejected. */
export type QueryProblemReason =
  | 'malformed'
  | 'empty-value'
  | 'unknown-operator'
  | 'operator-not-allowed'
  | 'field-not-allowed'
  | 'duplicate'
  | 'too-many'
  | 'too-deep'
  | 'too-long'
  | 'truncated'
  | 'out-of-range'
  | 'invalid-value'
  | 'not-expressible';

/** One problem of a query. Contains the field and the operator, but never the value. */
export interface QueryProblem {
  readonly kind:
    | 'filter'
    | 'where'
    | 'sort'
    | 'fields'
    | 'page'
    | 'limit'
    | 'search'
    | 'cursor'
    | 'body'
    | 'facets'
    | 'aggregate'
    | 'group'
    | 'timezone';
  readonly field?: string;
  readonly operator?: string;
  readonly reason: QueryProblemReason;
  /** Position of a syntax error in `where`, in UTF-16 units. The first position is 0. */
  readonly at?: number;
  /** Describes a valid value, in English. */
  readonly expected?: string;
}

/**
 * The query is invalid. The response is a 400 that lists the problems. Parsing throws this error
 * with at most 100 problems. Adapters throw it with every value that does not fit its column, or if
 * a cursor is invalid.
 * @remarks For clients: correct the items in `errors`. Each item contains the reason. If they are
 * known, it also contains the field and a description of valid values.
 */
export class InvalidQueryError extends QueryError {
  readonly code = 'QUERY_INVALID';
  readonly status = 400;
  /**
   * Nest's default filter and Express read `statusCode` and `expose`. They respond with this status
   * and message.
   */
  readonly statusCode = 400;
  readonly expose = true;
  readonly errors: readonly QueryProblem[];

  constructor(problems: readonly QueryProblem[]) {
    super(`Invalid query: ${problems.map(sentenceOf).join('; ')}.`);
    this.errors = problems;
  }
}

/**
 * A config or an option is wrong. Decorators, modules and `check` throw this error at startup.
 * Functions throw it when they are called.
 * @remarks Follow the instructions in the message.
 */
export class InvalidQueryConfigError extends QueryError {
  readonly code = 'QUERY_INVALID_CONFIG';

  constructor(fact: string, cure = '') {
    super(`${fact} ${cure}`.trimEnd());
  }
}

/**
 * `buildQueryParams` or `buildQueryString` cannot write the query. The query has an empty group, or
 * an item that parsing would drop, reject or read differently. `fromTanStackTable`, `fromRefine`
 * and `fromAgGrid` throw this error if a query string cannot express a value.
 * @remarks Follow the instructions in the message. Names cannot contain `:`, values must fit the
 * operator, and groups need at least one condition.
 */
export class UnbuildableQueryError extends QueryError {
  readonly code = 'QUERY_UNBUILDABLE';

  constructor(item: string, cure: string) {
    super(`This ${item} cannot be written as a query parameter. ${cure}`);
  }
}

/**
 * `paginate` received a total that is not a whole number of 0 or more.
 * @remarks Pass a whole number of 0 or more. It can be a number, a bigint or a string of digits.
 */
export class InvalidTotalError extends QueryError {
  readonly code = 'QUERY_INVALID_TOTAL';

  constructor(total: number | bigint | string) {
    super(
      `paginate() received the total "${total}". ` +
        `Pass a whole number that is 0 or more, as a number, a bigint or a string of digits.`,
    );
  }
}

/**
 * The ORM of an imported subpath is not installed. Thrown by the import.
 * @remarks Run the `npm install` command in the message. The imports of the adapters for Kysely and
 * MikroORM fail with `ERR_MODULE_NOT_FOUND` of Node.js instead: install the package that it names.
 */
export class MissingPeerError extends QueryError {
  readonly code = 'QUERY_MISSING_PEER';

  constructor(peer: string, subpath: string) {
    super(`${subpath} needs ${peer}, which is not installed. Run: npm install ${peer}`);
  }
}

/**
 * `@Qs()` or `@Paginate()` is not on a parameter of a method. Thrown at startup, when the class is
 * defined.
 * @remarks Move the decorator to a parameter of a route handler.
 */
export class MisplacedDecoratorError extends QueryError {
  readonly code = 'QUERY_MISPLACED_DECORATOR';
}

/**
 * The installed version of an ORM is not supported. The import throws this error. For Mongoose,
 * `mongooseAdapter(model)` throws it.
 * @remarks Install a version in the range that the message contains.
 */
export class UnsupportedPeerError extends QueryError {
  readonly code = 'QUERY_UNSUPPORTED_PEER';

  constructor(peer: string, version: string, range: string, subpath: string) {
    super(
      `${subpath} supports ${peer} ${range}, but ${version} is installed. ` +
        `Run: npm install "${peer}@${range}"`,
    );
  }
}

/**
 * `exportPages` supports none of the formats that the client accepts. The response is a 406.
 * @remarks For clients: send an `Accept` header with one of the formats in the message.
 */
export class UnacceptableExportError extends QueryError {
  readonly code = 'QUERY_UNACCEPTABLE_EXPORT';
  readonly status = 406;
  /**
   * Nest's default filter and Express read `statusCode` and `expose`. They respond with this status
   * and message.
   */
  readonly statusCode = 406;
  readonly expose = true;

  constructor(types: readonly string[]) {
    super(
      'The Accept header allows none of the formats of this export. ' +
        `Send Accept: ${types.join(' or ')}.`,
    );
  }
}

/**
 * An export has more rows than `maxRows`. The stream fails after `maxRows` rows, so the download is
 * incomplete.
 * @remarks For clients: filter the list, or continue with `after`. For the application: raise
 * `maxRows`.
 */
export class ExportLimitError extends QueryError {
  readonly code = 'QUERY_EXPORT_LIMIT';

  constructor(maxRows: number) {
    super(
      `The export has more than ${maxRows} rows. Add filters, or raise maxRows of exportPages().`,
    );
  }
}

function sentenceOf({ kind, field, operator, reason, at, expected }: QueryProblem): string {
  const place = at === undefined ? '' : `at position ${at}`;
  const words = [kind, field === undefined ? '' : `"${field}"`, operator ?? '', reason, place];
  const hint = expected === undefined ? '' : ` (expected: ${expected})`;
  return words.filter(Boolean).join(' ') + hint;
}
