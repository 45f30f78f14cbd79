/** What every error of this package is: a fact, its place and a cure, under a stable `code`. */
export abstract class QueryError extends Error {
  abstract readonly code: string;

  override get name(): string {
    return this.constructor.name;
  }
}

/** Why an item of a query was dropped or refused. */
export type QueryProblemReason =
  | 'malformed'
  | 'empty-value'
  | 'unknown-operator'
  | 'operator-not-allowed'
  | 'field-not-allowed'
  | 'duplicate'
  | 'too-many'
  | 'too-long'
  | 'truncated'
  | 'out-of-range'
  | 'invalid-value'
  | 'not-expressible';

/** One thing wrong with a query. Names the place, never the value that stood there. */
export interface QueryProblem {
  readonly kind: 'filter' | 'sort' | 'page' | 'limit' | 'search' | 'cursor';
  readonly field?: string;
  readonly operator?: string;
  readonly reason: QueryProblemReason;
  /** What would have been right, for a reader. */
  readonly expected?: string;
}

/** The query cannot be answered as asked: a 400 that lists every problem found. */
export class InvalidQueryError extends QueryError {
  readonly code = 'QUERY_INVALID';
  readonly status = 400;
  /** By which Nest's own filter, and Express, know an error they may answer with. */
  readonly statusCode = 400;
  readonly expose = true;
  readonly errors: readonly QueryProblem[];

  constructor(problems: readonly QueryProblem[]) {
    super(`Invalid query: ${problems.map(sentenceOf).join('; ')}.`);
    this.errors = problems;
  }
}

/** A config or option that no query could work with. Thrown when it is first used, so at boot. */
export class InvalidQueryConfigError extends QueryError {
  readonly code = 'QUERY_INVALID_CONFIG';

  constructor(fact: string, cure: string) {
    super(`${fact} ${cure}`);
  }
}

/** A filter or sort that would not be read back as it stands; thrown by the builders. */
export class UnbuildableQueryError extends QueryError {
  readonly code = 'QUERY_UNBUILDABLE';

  constructor(item: string, cure: string) {
    super(`This ${item} cannot be written as a query parameter. ${cure}`);
  }
}

/** `paginate` was given a total that counts nothing. */
export class InvalidTotalError extends QueryError {
  readonly code = 'QUERY_INVALID_TOTAL';

  constructor(total: number | bigint | string) {
    super(
      `A total of "${total}" counts nothing. ` +
        `Give paginate a whole number from 0, as number, bigint or digits.`,
    );
  }
}

/** A subpath was imported without the ORM it is for. Thrown by the import. */
export class MissingPeerError extends QueryError {
  readonly code = 'QUERY_MISSING_PEER';

  constructor(peer: string, subpath: string) {
    super(`${subpath} needs ${peer}, which is not installed. Run: npm install ${peer}`);
  }
}

/** An ORM is installed in a version that its adapter was not made for. Thrown by the import, by Mongoose's at first use. */
export class UnsupportedPeerError extends QueryError {
  readonly code = 'QUERY_UNSUPPORTED_PEER';

  constructor(peer: string, version: string, range: string, subpath: string) {
    super(
      `${subpath} supports ${peer} ${range}, but ${version} is installed. ` +
        `Run: npm install "${peer}@${range}"`,
    );
  }
}

function sentenceOf({ kind, field, operator, reason, expected }: QueryProblem): string {
  const place = [kind, field === undefined ? '' : `"${field}"`, operator ?? '', reason];
  return place.filter(Boolean).join(' ') + (expected === undefined ? '' : ` (${expected})`);
}
