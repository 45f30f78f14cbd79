import { inspect } from 'node:util';
import { Inject, Injectable } from '@nestjs/common';
import type { KeysetOptions } from '../page/keyset-page.js';
import type { AnyParsedQuery } from '../parse/parsed-query.js';
import { InvalidQueryConfigError } from '../query.errors.js';
import type { CursorOptions, QueryModuleOptions, RouteQueryOptions } from '../query.options.js';
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
   * Returns the options for `buildKeyset` of an adapter. They request the page of the query. Pass
   * the rows to `paginate({ data, cursorOf })`.
   *
   * @param query a query that was parsed with `cursors: true`
   * @param list a name for this list. Needed if another list has the same table and order.
   * @default none
   * @throws InvalidQueryConfigError if `QueryModule` has no `cursors` option, or if its `scope` does
   * not return a string
   */
  for(query: Pick<AnyParsedQuery, 'after' | 'before'>, list?: string): KeysetOptions {
    return keysetOptionsOf(this.options, query, list);
  }
}

/**
 * @throws InvalidQueryConfigError if `QueryModule` has no `cursors` option, or if its `scope` does
 * not return a string
 */
export function keysetOptionsOf(
  module: QueryModuleOptions | undefined,
  { after, before }: Pick<AnyParsedQuery, 'after' | 'before'>,
  list = '',
): KeysetOptions {
  const { cursors } = module ?? {};
  if (cursors === undefined) throw missingSecret('A handler uses cursors');
  const scope = [scopeOf(cursors), list];
  return { secret: cursors.secret, scope, after, before };
}

function scopeOf({ scope }: CursorOptions): string {
  const returned: unknown = scope?.() ?? '';
  if (typeof returned === 'string') return returned;
  // With this depth, the message contains the class of an object, but not its properties.
  const shown = inspect(returned, { depth: -1 });
  throw new InvalidQueryConfigError(
    `\`cursors.scope\` of QueryModule returned ${shown}, but must return a string or undefined.`,
    'Return a string without a promise, such as the id of the tenant.',
  );
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
