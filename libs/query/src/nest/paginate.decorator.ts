import type { QueryFieldConfig, StringQueryFieldConfig } from '../config/field-config.js';
import type { AnyParsedQuery } from '../parse/parsed-query.js';
import { mergeOptions, withoutReports } from '../query.defaults.js';
import { InvalidQueryConfigError } from '../query.errors.js';
import type { RouteQueryOptions } from '../query.options.js';
import { keysetOptionsOf, requireSecret } from './cursors.js';
import { describedQuery, injectedPipe } from './described-query.js';
import { listParameter, listRouteOf, recordPaginatedRoute } from './list-route.js';
import { paginatorOf } from './paginator.js';
import { checkQuery, queryReader } from './query-reader.js';
import { querySchemaOf } from './query-schema.js';
import { StandardQuerySchema } from './standard-query-schema.js';
import { describeQueryBody } from './swagger-body.js';

/**
 * Injects a `Paginator` for the query of the request into a route handler. Rejects an invalid query
 * with 400.
 *
 * @param config the fields that clients may use. The default is the config of `@Qs()` on the same
 * handler. If there is no config at all, only `page` and `limit` are read
 * @param options override the options of `QueryModule`. If you pass no config, the options of
 * `@Qs()` on the same handler apply
 * @throws InvalidQueryConfigError at startup
 * @throws MisplacedDecoratorError
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
  return listParameter('@Paginate()', (handler, place) => {
    checkQuery(config, options ?? {}, place);
    if (config !== undefined) recordPaginatedRoute(handler, { config, options });
    const schema = new StandardQuerySchema((current) =>
      // `@Qs()` on this handler has already documented the parameters.
      listRouteOf(handler) ? NO_PARAMETERS : querySchemaOf(config ?? PAGE_ONLY, current),
    );
    const pipe = injectedPipe((module) => {
      const qs = config === undefined ? listRouteOf(handler) : undefined;
      const effective = mergeOptions(module, qs?.options ?? options);
      schema.setOptions(effective);
      describeQueryBody(handler, schema);
      requireSecret(module, effective, place);
      const cursorFor = (parsed: AnyParsedQuery) => {
        if (effective.cursors === true) return keysetOptionsOf(module, parsed);
        throw new InvalidQueryConfigError(
          `${place} uses \`paginate.cursor\`, but does not read the query parameter \`after\`.`,
          'Set `cursors: true` in the options of its @Qs() or @Paginate().',
        );
      };
      const read = qs
        ? queryReader(qs.config, withoutReports(effective))
        : queryReader(config ?? PAGE_ONLY, effective);
      return (query) => paginatorOf(read(query), cursorFor);
    });
    return describedQuery(schema, pipe);
  });
}

/** A config that allows only `page` and `limit`. */
const PAGE_ONLY: StringQueryFieldConfig = { filterable: [], sortable: [], searchable: [] };

const NO_PARAMETERS = { type: 'object', properties: {} } as const;
