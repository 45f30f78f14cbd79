import type { QueryFieldConfig } from '../config/field-config.js';
import { mergeOptions } from '../query.defaults.js';
import type { RouteQueryOptions } from '../query.options.js';
import { requireSecret } from './cursors.js';
import { describedQuery, injectedPipe } from './described-query.js';
import { listParameter, recordListRoute } from './list-route.js';
import { describeListRoute, PANEL_DESCRIPTION } from './panel-description.js';
import { checkQuery, queryReader } from './query-reader.js';
import { querySchemaOf, withoutPage } from './query-schema.js';
import { StandardQuerySchema } from './standard-query-schema.js';
import { isSummarized } from './summarized.decorator.js';
import { describeQueryBody } from './swagger-body.js';

/**
 * Injects the `ParsedQuery` of the request into a route handler. Documents the parameters for
 * OpenAPI and MCP. Rejects an invalid query with 400. This includes errors that an ORM adapter
 * finds inside the handler.
 *
 * @param config the fields that clients may use. Without a config, every well-formed field is
 * accepted
 * @param options override the options of `QueryModule`
 * @throws InvalidQueryConfigError at startup
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
  return listParameter('@Qs()', (handler, place) => {
    checkQuery(config, options ?? {}, place);
    const schema = new StandardQuerySchema((current) => {
      const described = querySchemaOf(config, current);
      return isSummarized(handler) ? withoutPage(described) : described;
    });
    const pipe = injectedPipe((module) => {
      const effective = mergeOptions(module, options);
      schema.setOptions(effective);
      describeQueryBody(handler, schema);
      requireSecret(module, effective, place);
      return queryReader(config, effective);
    });
    recordListRoute(handler, { config, options }, place);
    Reflect.defineMetadata(PANEL_DESCRIPTION, describeListRoute({ config, options }), handler);
    return describedQuery(schema, pipe);
  });
}
