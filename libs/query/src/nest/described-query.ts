import { type PipeTransform, Query, type Type } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { StandardQuerySchema } from './standard-query-schema.js';
import { describeForSwagger } from './swagger-parameters.js';

// The one file of this package that reads what Nest keeps to itself.

/**
 * `@Query({ schema, pipes: [pipe] })`, also on Nest 11. That version would ignore the whole object, and hand
 * the query to the handler unread.
 */
export function describedQuery(
  schema: StandardQuerySchema,
  pipe: Type<PipeTransform>,
): ParameterDecorator {
  return (target, key, index) => {
    Query({ schema, pipes: [pipe] })(target, key, index);
    if (key === undefined) return;
    const handler = Reflect.get(target, key) as Function;
    const args = () =>
      Reflect.getMetadata(ROUTE_ARGS_METADATA, target.constructor, key) as ParameterMetadata;
    const place = `${RouteParamtypes.QUERY}:${index}`;
    if (args()[place]?.schema !== undefined) return;

    Query(pipe)(target, key, index);
    // Where Nest 12 keeps it, and @fledge/mcp looks for it.
    const described = { ...args(), [place]: { ...args()[place], schema } };
    Reflect.defineMetadata(ROUTE_ARGS_METADATA, described, target.constructor, key);
    describeForSwagger(handler, schema);
  };
}

type ParameterMetadata = Readonly<Record<string, { readonly schema?: unknown } | undefined>>;
