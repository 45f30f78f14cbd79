import type { QueryFieldConfig } from '../config/field-config.js';
import { mergeOptions } from '../query.defaults.js';
import type { RouteQueryOptions } from '../query.options.js';
import { requireSecret } from './cursors.js';
import { describedQuery, injectedPipe } from './described-query.js';
import { handlerOf, placeOf, recordListRoute } from './list-route.js';
import { describeListRoute, PANEL_DESCRIPTION } from './panel-description.js';
import { queryReader } from './query-reader.js';
import { querySchemaOf } from './query-schema.js';
import { StandardQuerySchema } from './standard-query-schema.js';
import { describeQueryBody } from './swagger-body.js';

/**
 * Gives a route handler the `ParsedQuery` of the request, and documents the parameters for OpenAPI
 * and MCP. An invalid query is rejected with 400, even if an ORM adapter finds the problem inside
 * the handler.
 *
 * @param config the fields that clients may use; without it every well-formed field is accepted
 * @param options override those of `QueryModule`
 * @throws InvalidQueryConfigError when the decorator runs, so at startup
 * @throws MisplacedDecoratorError
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
  // Checks the config and the options now, at startup.
  queryReader(config, options ?? {});
  return (target, key, index) => {
    const handler = handlerOf(target, key);
    const place = placeOf(target, key);
    const schema = new StandardQuerySchema((current) => querySchemaOf(config, current));
    const pipe = injectedPipe((module) => {
      const effective = mergeOptions(module, options);
      schema.setOptions(effective);
      describeQueryBody(handler, schema);
      requireSecret(module, effective, place);
      return queryReader(config, effective);
    });
    recordListRoute(handler, { config, options });
    Reflect.defineMetadata(PANEL_DESCRIPTION, describeListRoute({ config, options }), handler);
    describedQuery(schema, pipe)(target, key, index);
  };
}
