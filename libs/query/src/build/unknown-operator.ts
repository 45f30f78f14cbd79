import { FILTER_OPERATORS, OPT_IN_OPERATORS } from '../config/operators.js';
import { UnbuildableQueryError } from '../query.errors.js';

const OPERATORS: readonly string[] = [...FILTER_OPERATORS, ...OPT_IN_OPERATORS];

/**
 * @param what the kind of item, for the message: `filter` or `condition of where`
 * @throws UnbuildableQueryError
 */
export function refuseUnknownOperator(what: string, field: string, operator: string): void {
  if (OPERATORS.includes(operator)) return;
  throw new UnbuildableQueryError(
    `${what} on "${field}" with the operator "${operator}"`,
    `Use one of these operators: ${OPERATORS.join(', ')}.`,
  );
}
