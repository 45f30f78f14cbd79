import { InvalidQueryConfigError } from '../query.errors.js';

/** Position of rows with NULL. It is the same in ascending and descending order. */
export type NullOrder = 'first' | 'last';

/** @throws InvalidQueryConfigError if the value is invalid */
export function nullOrderOf({
  nulls = 'last',
}: {
  readonly nulls?: NullOrder | undefined;
}): NullOrder {
  const given: unknown = nulls;
  if (given === 'first' || given === 'last') return given;
  throw new InvalidQueryConfigError(
    `\`nulls\` of a query config is ${JSON.stringify(given) ?? typeof given}.`,
    `Write nulls: 'first' or nulls: 'last'.`,
  );
}
