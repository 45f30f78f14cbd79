import { InvalidQueryConfigError } from '../query.errors.js';

/** Where rows with NULL come in an order, in both directions. */
export type NullOrder = 'first' | 'last';

/**
 * The `nulls` of a config.
 * @throws InvalidQueryConfigError for another value
 */
export function nullOrderOf({
  nulls = 'last',
}: {
  readonly nulls?: NullOrder | undefined;
}): NullOrder {
  const given: unknown = nulls;
  if (given === 'first' || given === 'last') return given;
  throw new InvalidQueryConfigError(
    `nulls of a query config is ${JSON.stringify(given) ?? typeof given}.`,
    `Write nulls: 'first' or nulls: 'last'.`,
  );
}
