import type { ResolvedQueryOptions } from '../query.defaults.js';
import { InvalidQueryError, type QueryProblem } from '../query.errors.js';

/** Collects the problems of one query. The options decide how problems are reported. */
export class Findings {
  private refused: QueryProblem[] | undefined;

  constructor(private readonly options: ResolvedQueryOptions) {}

  /** Reports an item that is dropped or shortened. In strict mode, the query is rejected. */
  drop(problem: QueryProblem): void {
    this.options.onReject?.(problem);
    if (this.options.strict) this.keep(problem);
  }

  /** Rejects the query, because it would return more rows without the item. */
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
    // Maximum number of problems in the response.
    if (this.refused.length < 100) this.refused.push(problem);
  }
}

/** Returns a name from the query for messages. It has at most 64 characters. */
export function shortened(name: string): string {
  return name.length <= 64 ? name : `${name.slice(0, 63).toWellFormed()}…`;
}
