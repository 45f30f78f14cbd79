import { Inject, Injectable } from '@nestjs/common';
import type { KeysetOptions } from '../cursor/keyset-page.js';
import { InvalidQueryConfigError } from '../query.errors.js';
import type { QueryModuleOptions } from './query-module.options.js';
import { QUERY_OPTIONS } from './query.tokens.js';

/**
 * Cursors by the secret and the scope of `QueryModule.forRoot({ cursors })`.
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
   * Options of an adapter's `buildKeyset` for the request being served.
   *
   * @param cursor as the query has it; undefined for the first page
   * @param list tells apart lists of the same table and order. @default none
   * @throws InvalidQueryConfigError where `QueryModule` has no `cursors`
   */
  after(cursor: unknown, list?: string): KeysetOptions {
    const { cursors } = this.options;
    if (cursors === undefined) {
      throw new InvalidQueryConfigError(
        'QueryModule has no secret for cursors.',
        'Give it one: QueryModule.forRoot({ cursors: { secret } }).',
      );
    }
    const scope = [cursors.scope?.() ?? '', list ?? ''];
    return { secret: cursors.secret, scope, after: cursor };
  }
}
