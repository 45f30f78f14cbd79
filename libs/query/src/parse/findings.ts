import type { ResolvedQueryOptions } from '../query.defaults.js';
import { InvalidQueryError, type QueryProblem } from '../query.errors.js';

/** Collects the problems of one query, and reports them as the options say. */
export class Findings {
  private refused: QueryProblem[] | undefined;

  constructor(private readonly options: ResolvedQueryOptions) {}

  /** Reports an item that is dropped or cut. In strict mode the query is rejected. */
  drop(problem: QueryProblem): void {
    this.options.onReject?.(problem);
    if (this.options.strict) this.keep(problem);
  }

  /**
   * Reports a problem for which the query is rejected: dropping the item would return more rows.
   */
  refuse(problem: QueryProblem): void {
    this.options.onReject?.(problem);
    this.keep(problem);
  }

  /** @throws InvalidQueryError if the query is rejected */
  settle(): void {
    if (this.refused !== undefined) throw new InvalidQueryError(this.refused);
  }

  private keep(problem: QueryProblem): void {
    this.refused ??= [];
    // Limits the size of the 400.
    if (this.refused.length < 100) this.refused.push(problem);
  }
}

/** A name from the query, cut to 64 characters for messages. */
export function shortened(name: string): string {
  return name.length <= 64 ? name : `${name.slice(0, 63).toWellFormed()}…`;
}
