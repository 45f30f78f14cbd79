import { Inject, Injectable } from '@nestjs/common';
import type { KeysetOptions } from '../page/keyset-page.js';
import type { AnyParsedQuery } from '../parse/parsed-query.js';
import { InvalidQueryConfigError } from '../query.errors.js';
import type { QueryModuleOptions, RouteQueryOptions } from '../query.options.js';
import { QUERY_OPTIONS } from './query-tokens.js';

/**
 * Passes the secret and the scope of `QueryModule.forRoot({ cursors })` to an adapter. If the
 * handler has `@Paginate()`, use `paginate.cursor` instead.
 *
 * @example
 * ```ts
 * const page = drizzleAdapter.buildKeyset(query, TASKS, this.cursors.for(query));
 * ```
 */
@Injectable()
export class Cursors {
  constructor(@Inject(QUERY_OPTIONS) private readonly options: QueryModuleOptions) {}

  /**
   * Returns the options for `buildKeyset` of an adapter. They request the page of the query, with
   * `lookAhead`. Pass the rows to `paginate({ data, cursorOf })`.
   *
   * @param query a query that was parsed with `cursors: true`
   * @param list a name for this list. Needed if another list has the same table and order.
   * @default none
   * @throws InvalidQueryConfigError if `QueryModule` has no `cursors` option
   */
  for(query: Pick<AnyParsedQuery, 'after' | 'before'>, list?: string): KeysetOptions {
    return keysetOptionsOf(this.options, query, list);
  }
}

/** @throws InvalidQueryConfigError if `QueryModule` has no `cursors` option */
export function keysetOptionsOf(
  module: QueryModuleOptions | undefined,
  { after, before }: Pick<AnyParsedQuery, 'after' | 'before'>,
  list = '',
): KeysetOptions {
  const { cursors } = module ?? {};
  if (cursors === undefined) throw missingSecret('A handler uses cursors');
  const scope = [cursors.scope?.() ?? '', list];
  return { secret: cursors.secret, scope, after, before, lookAhead: true };
}

/**
 * Called at startup for each route.
 * @throws InvalidQueryConfigError if the route reads cursors but `QueryModule` has no secret
 */
export function requireSecret(
  module: QueryModuleOptions | undefined,
  { cursors }: RouteQueryOptions,
  place: string,
): void {
  if (cursors === true && module?.cursors === undefined) {
    throw missingSecret(`${place} sets \`cursors: true\``);
  }
}

function missingSecret(fact: string): InvalidQueryConfigError {
  return new InvalidQueryConfigError(
    `${fact}, but QueryModule has no secret for cursors.`,
    'Set a secret: QueryModule.forRoot({ cursors: { secret } }).',
  );
}
