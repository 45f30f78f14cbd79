import { InvalidQueryConfigError } from '../query.errors.js';

/** A custom search, for example with a full-text index. */
export interface SearchHook<Condition> {
  /**
   * Returns the condition for `q`. Replaces `searchColumns` and `searchable`. If a query has no
   * `q`, the function is not called. If the function throws, the error is a server error.
   * @default none
   */
  readonly search?: ((text: string) => Condition) | undefined;
}

/**
 * @throws InvalidQueryConfigError if the config has both `search` and searched columns, or if
 * `search` is not a function
 */
export function checkSearchHook(config: object): void {
  const { search, searchColumns, searchable } = config as Readonly<Record<string, unknown>>;
  if (search === undefined) return;
  if (typeof search !== 'function') {
    throw new InvalidQueryConfigError(
      '`search` of a query config is not a function.',
      'Write search: (text) => <condition>.',
    );
  }
  if (searchColumns === undefined && searchable === undefined) return;
  throw new InvalidQueryConfigError(
    'A query config contains `search` and ' +
      `\`${searchable === undefined ? 'searchColumns' : 'searchable'}\`.`,
    'Remove one of the two. The function `search` replaces the search in columns.',
  );
}

/**
 * Returns undefined without a hook or `q`. Call this after `resolveQuery`, which rejects U+0000.
 * @throws InvalidQueryConfigError if `search` returns no condition. Without a condition, every row
 * would match
 */
export function searchedBy<Condition>(
  { search: text }: { readonly search: string },
  { search }: SearchHook<Condition>,
): Condition | undefined {
  if (search === undefined || text === '') return undefined;
  const condition = search(text);
  if (condition !== undefined && condition !== null) return condition;
  throw new InvalidQueryConfigError(
    'The function `search` of a query config returned no condition.',
    'Return a condition for every search string.',
  );
}
