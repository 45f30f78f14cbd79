import { Logger } from '@nestjs/common';
import type { QueryProblem } from '../query.errors.js';

/** How many problems of one query are written out, so that a client cannot fill the log. */
const SPELLED_OUT = 5;

/** An `onReject` that logs at debug level, one line per query. */
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
    // Parsing is synchronous, so the problems before the next microtask belong to one query.
    if (problems.push(problem) === 1) queueMicrotask(flush);
  };
}
