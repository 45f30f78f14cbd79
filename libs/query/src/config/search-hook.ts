import { InvalidQueryConfigError } from '../query.errors.js';

/** A search of your own, for example by a full-text index. */
export interface SearchHook<Condition> {
  /**
   * Gives the condition of `q`, in place of `searchColumns` or `searchable`. Not called without `q`. What it throws is an
   * error of the server.
   * @default none
   */
  readonly search?: ((text: string) => Condition) | undefined;
}

/** @throws InvalidQueryConfigError for `search` beside searched columns, and for one that is not a function */
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
    'Remove one of them: search is used in place of searched columns.',
  );
}

/**
 * The condition of `q` by the `search` of a config; undefined without `search` and without `q`. Call it after
 * `resolveQuery`, which refuses U+0000.
 * @throws InvalidQueryConfigError if `search` returns no condition, which would find each row
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
