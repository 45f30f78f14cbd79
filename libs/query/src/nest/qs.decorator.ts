import type { QueryFieldConfig } from '../config/field-config.js';
import { describedQuery } from './described-query.js';
import { injectedPipe } from './injected-pipe.js';
import { handlerOf, recordListRoute } from './list-route.js';
import { optionsOver, type RouteQueryOptions } from './query-module.options.js';
import { queryReader } from './query-reader.js';
import { querySchemaOf } from './query-schema.js';
import { StandardQuerySchema } from './standard-query-schema.js';
import { untypedParameter } from './untyped-parameter.js';

/**
 * Gives a handler the `ParsedQuery` of its request, and documents the parameters for OpenAPI and MCP. What
 * cannot be answered as asked is a 400, also where an ORM adapter finds it out in the handler.
 *
 * @param config which fields may be used; without it every well-formed field passes
 * @param options over those of `QueryModule`
 * @throws InvalidQueryConfigError where it stands, so at boot
 * @example
 * ```ts
 * const TASKS = { filterable: ['status'], sortable: ['createdAt'] } as const;
 *
 * @Get() list(@Qs(TASKS) query: ParsedQuery<typeof TASKS>) { ... }
 * ```
 */
export function Qs<const Config extends QueryFieldConfig>(
  config?: Config,
  options?: RouteQueryOptions,
): ParameterDecorator {
  const schema = new StandardQuerySchema((current) => querySchemaOf(config, current));
  const pipe = injectedPipe((module) => {
    const effective = optionsOver(module, options);
    schema.heed(effective);
    return queryReader(config, effective);
  });
  queryReader(config, options ?? {});
  return untypedParameter((target, key, index) => {
    recordListRoute(handlerOf(target, key), { config, options });
    describedQuery(schema, pipe)(target, key, index);
  });
}
