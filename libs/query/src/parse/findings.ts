import type { ResolvedQueryOptions } from '../config/query-options.js';
import { InvalidQueryError, type QueryProblem } from '../query.errors.js';

/** What was wrong with one query, as the options want it told. */
export class Findings {
  private refused: QueryProblem[] | undefined;

  constructor(private readonly options: ResolvedQueryOptions) {}

  /** Something the answer does without, unless the options are strict. */
  drop(problem: QueryProblem): void {
    this.options.onReject?.(problem);
    if (this.options.strict) this.keep(problem);
  }

  /** Something that would change the answer if it were left out. */
  refuse(problem: QueryProblem): void {
    this.options.onReject?.(problem);
    this.keep(problem);
  }

  /** @throws InvalidQueryError */
  settle(): void {
    if (this.refused !== undefined) throw new InvalidQueryError(this.refused);
  }

  private keep(problem: QueryProblem): void {
    this.refused ??= [];
    // A 400 must not be much longer than the query that asked for it.
    if (this.refused.length < 100) this.refused.push(problem);
  }
}

/** A name a caller made up, short enough to be told. */
export function told(name: string): string {
  return name.length <= 64 ? name : `${name.slice(0, 63).toWellFormed()}…`;
}
