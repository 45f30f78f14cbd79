import { Logger } from '@nestjs/common';
import type { QueryProblem } from '../query.errors.js';

/** How many problems of one query are spelled out: a client could fill the log with them. */
const SPELLED_OUT = 5;

/** An `onReject` that logs at debug, one line for all that was wrong with a query. */
export function rejectionLog(logger = new Logger('QueryModule')): (problem: QueryProblem) => void {
  let problems: QueryProblem[] = [];
  const flush = (): void => {
    const [first, ...others] = problems.splice(0, SPELLED_OUT).map((each) => JSON.stringify(each));
    const more = problems.length === 0 ? '' : `, and ${problems.length} more`;
    problems = [];
    logger.debug(`Rejected in a query: ${[first, ...others].join(', ')}${more}`);
  };
  return (problem) => {
    if (!Logger.isLevelEnabled('debug')) return;
    // A query is read in one go, so whatever comes before the next microtask is of the same query.
    if (problems.push(problem) === 1) queueMicrotask(flush);
  };
}
