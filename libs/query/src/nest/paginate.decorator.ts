import type { QueryFieldConfig } from '../config/field-config.js';
import { describedQuery } from './described-query.js';
import { injectedPipe } from './injected-pipe.js';
import { handlerOf, listRouteOf } from './list-route.js';
import { PAGE_ONLY, quiet } from './page-only.js';
import { paginatorOf } from './paginator.js';
import { optionsOver, type RouteQueryOptions } from './query-module.options.js';
import { queryReader } from './query-reader.js';
import { querySchemaOf } from './query-schema.js';
import { StandardQuerySchema } from './standard-query-schema.js';
import { untypedParameter } from './untyped-parameter.js';

/**
 * Gives a handler a `Paginator` for the query of its request.
 *
 * @param config which fields may be used; without it those of the handler's `@Qs()`, else none
 * @param options over those of `QueryModule`; without a config those of the handler's `@Qs()`
 * @example
 * ```ts
 * @Get() list(@Paginate(TASKS) paginate: Paginator<typeof TASKS>) {
 *   return paginate((query) => this.tasks.find(query));
 * }
 * ```
 */
export function Paginate<const Config extends QueryFieldConfig>(
  config?: Config,
  options?: RouteQueryOptions,
): ParameterDecorator {
  queryReader(config, options ?? {});
  return untypedParameter((target, key, index) => {
    const handler = handlerOf(target, key);
    const schema = new StandardQuerySchema((current) =>
      // What @Qs() documents has not to be said twice.
      listRouteOf(handler) ? NO_PARAMETERS : querySchemaOf(config ?? PAGE_ONLY, current),
    );
    const pipe = injectedPipe((module) => {
      const beside = config === undefined ? listRouteOf(handler) : undefined;
      const effective = optionsOver(module, beside?.options ?? options);
      schema.heed(effective);
      const read = queryReader(
        beside ? beside.config : (config ?? PAGE_ONLY),
        beside ? quiet(effective) : effective,
      );
      return (query) => paginatorOf(read(query));
    });
    describedQuery(schema, pipe)(target, key, index);
  });
}

const NO_PARAMETERS = { type: 'object', properties: {} } as const;
