import { Inject, Injectable } from '@nestjs/common';
import type { KeysetOptions } from '../cursor/keyset-page.js';
import { InvalidQueryConfigError } from '../query.errors.js';
import type { QueryModuleOptions } from '../query.options.js';
import { QUERY_OPTIONS } from './query-tokens.js';

/**
 * Passes the secret and the scope of `QueryModule.forRoot({ cursors })` to an adapter.
 *
 * @example
 * ```ts
 * const page = drizzleAdapter.buildKeyset(query, TASKS, this.cursors.after(after));
 * ```
 */
@Injectable()
export class Cursors {
  constructor(@Inject(QUERY_OPTIONS) private readonly options: QueryModuleOptions) {}

  /**
   * The options of an adapter's `buildKeyset` for the current request.
   *
   * @param cursor the value from the query string; undefined for the first page
   * @param list a name that separates this list from others with the same table and order. @default none
   * @throws InvalidQueryConfigError if `QueryModule` has no `cursors` option
   */
  after(cursor: unknown, list?: string): KeysetOptions {
    const { cursors } = this.options;
    if (cursors === undefined) {
      throw new InvalidQueryConfigError(
        'Cursors needs a secret, and QueryModule has none.',
        'Set one: QueryModule.forRoot({ cursors: { secret } }).',
      );
    }
    const scope = [cursors.scope?.() ?? '', list ?? ''];
    return { secret: cursors.secret, scope, after: cursor };
  }
}
