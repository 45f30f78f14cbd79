import { InvalidQueryConfigError } from '../query.errors.js';

/** A custom search, for example with a full-text index. */
export interface SearchHook<Condition> {
  /**
   * Returns the condition for `q`, instead of `searchColumns` or `searchable`. Not called without
   * `q`. Errors that it throws are server errors.
   * @default none
   */
  readonly search?: ((text: string) => Condition) | undefined;
}

/**
 * @throws InvalidQueryConfigError for `search` together with searched columns, and for a `search`
 * that is not a function
 */
export function checkSearchHook(config: object): void {
  const { search, searchColumns, searchable } = config as Readonly<Record<string, unknown>>;
  if (search === undefined) return;
  if (typeof search !== 'function') {
    throw new InvalidQueryConfigError(
      'search of a query config is not a function.',
      'Write search: (text) => <condition>.',
    );
  }
  if (searchColumns === undefined && searchable === undefined) return;
  throw new InvalidQueryConfigError(
    `A query config contains search and ${searchable === undefined ? 'searchColumns' : 'searchable'}.`,
    'Remove one of them: search is used instead of searched columns.',
  );
}

/**
 * Returns the condition that the config's `search` creates for `q`, or undefined without `search`
 * or `q`. Call it after `resolveQuery`, which rejects U+0000.
 * @throws InvalidQueryConfigError if `search` returns no condition, which would match every row
 */
export function searchedBy<Condition>(
  { search: text }: { readonly search: string },
  { search }: SearchHook<Condition>,
): Condition | undefined {
  if (search === undefined || text === '') return undefined;
  const condition = search(text);
  if (condition !== undefined && condition !== null) return condition;
  throw new InvalidQueryConfigError(
    'search of a query config returned no condition.',
    'Return a condition for each text.',
  );
}
