import { type MethodParameterDecorator, untypedParameter } from '@fledge-internal/nest-modules';
import {
  type PipeTransform,
  Query,
  RequestMethod,
  type Type,
  Inject,
  Injectable,
  Optional,
} from '@nestjs/common';
import { METHOD_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { StandardQuerySchema } from './standard-query-schema.js';
import { describeForSwagger } from './swagger-parameters.js';
import type { QueryModuleOptions } from '../query.options.js';
import { QUERY_OPTIONS } from './query-tokens.js';

// The only file of this package that imports internals of Nest.

/**
 * Applies `@Query({ schema, pipes: [pipe] })` on Nest 11 and 12. Nest 11 ignores this object and
 * passes the raw query to the handler. On Nest 11, the pipe and the schema are therefore recorded
 * separately.
 */
export function describedQuery(
  schema: StandardQuerySchema,
  pipe: Type<PipeTransform>,
): MethodParameterDecorator {
  return untypedParameter((target, key, index) => {
    Query({ schema, pipes: [pipe] })(target, key, index);
    const handler = Reflect.get(target, key) as Function;
    const args = () =>
      Reflect.getMetadata(ROUTE_ARGS_METADATA, target.constructor, key) as ParameterMetadata;
    const id = `${RouteParamtypes.QUERY}:${index}`;
    if (args()[id]?.schema !== undefined) return;

    Query(pipe)(target, key, index);
    // Nest 12 stores the schema under this key, and @fledge/mcp reads it there.
    const described = { ...args(), [id]: { ...args()[id], schema } };
    Reflect.defineMetadata(ROUTE_ARGS_METADATA, described, target.constructor, key);
    describeForSwagger(handler, schema);
  });
}

/** Call at startup, because decorators of parameters run before the decorator of the method. */
export function answersQueryMethod(handler: Function): boolean {
  const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
  return method !== undefined && RequestMethod[method] === 'QUERY';
}

/** Returns true if a handler reads the URL with `@Query(new QueryPipe())`. */
export function hasUrlPipe(controller: Function, key: string): boolean {
  return Object.entries(parametersOf(controller, key)).some(
    ([id, arg]) =>
      id.startsWith(`${RouteParamtypes.QUERY}:`) &&
      arg?.pipes?.some((pipe) => schemaOf(pipe) instanceof StandardQuerySchema) === true,
  );
}

/** Finds parameters of `@Qs()`, `@Paginate()` and `QueryPipe`. */
export function hasQueryParameter(
  target: object,
  key: string | symbol,
  parameter: 'fields',
): boolean {
  return Object.values(parametersOf(target.constructor, key))
    .flatMap((arg) => [arg?.schema, ...(arg?.pipes ?? []).map((pipe) => schemaOf(pipe))])
    .some((schema) => schema instanceof StandardQuerySchema && parameter in schema.properties);
}

function parametersOf(controller: Function, key: string | symbol): ParameterMetadata {
  const args: unknown = Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, key);
  return (args ?? {}) as ParameterMetadata;
}

function schemaOf(pipe: unknown): unknown {
  return typeof pipe === 'object' && pipe !== null && 'schema' in pipe ? pipe.schema : undefined;
}

type ParameterMetadata = Readonly<
  Record<string, { readonly schema?: unknown; readonly pipes?: readonly unknown[] } | undefined>
>;

/** A class, so that Nest can inject the options of `QueryModule`. */
export function injectedPipe(
  transformFor: (module: QueryModuleOptions | undefined) => (query: unknown) => unknown,
): Type<PipeTransform> {
  @Injectable()
  class InjectedQueryPipe implements PipeTransform {
    private readonly read: (query: unknown) => unknown;

    constructor(@Optional() @Inject(QUERY_OPTIONS) module?: QueryModuleOptions) {
      this.read = transformFor(module);
    }

    transform(query: unknown): unknown {
      return this.read(query);
    }
  }
  return InjectedQueryPipe;
}
