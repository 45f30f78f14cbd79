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
 * `@Query({ schema, pipes: [pipe] })` for Nest 11 and 12. Nest 11 ignores such an object and passes the raw query to
 * the handler, so there the pipe and the schema are recorded separately.
 */
export function describedQuery(
  schema: StandardQuerySchema,
  pipe: Type<PipeTransform>,
): ParameterDecorator {
  return (target, key, index) => {
    Query({ schema, pipes: [pipe] })(target, key, index);
    if (key === undefined) return;
    removeType(target, key, index);
    const handler = Reflect.get(target, key) as Function;
    const args = () =>
      Reflect.getMetadata(ROUTE_ARGS_METADATA, target.constructor, key) as ParameterMetadata;
    const id = `${RouteParamtypes.QUERY}:${index}`;
    if (args()[id]?.schema !== undefined) return;

    Query(pipe)(target, key, index);
    // Metadata key under which Nest 12 stores the schema and @fledge/mcp reads it.
    const described = { ...args(), [id]: { ...args()[id], schema } };
    Reflect.defineMetadata(ROUTE_ARGS_METADATA, described, target.constructor, key);
    describeForSwagger(handler, schema);
  };
}

/**
 * Returns true for a handler of HTTP QUERY. Call it at startup, because the decorator of a method
 * runs after the decorators of its parameters.
 */
export function answersQueryMethod(handler: Function): boolean {
  const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
  return method !== undefined && RequestMethod[method] === 'QUERY';
}

/** Returns true if a handler reads the URL by `@Query(new QueryPipe())`, for any HTTP method. */
export function hasUrlPipe(controller: Function, key: string): boolean {
  return Object.entries(parametersOf(controller, key)).some(
    ([id, arg]) =>
      id.startsWith(`${RouteParamtypes.QUERY}:`) &&
      arg?.pipes?.some((pipe) => schemaOf(pipe) instanceof StandardQuerySchema) === true,
  );
}

/**
 * Returns true if a handler has a query parameter: with `@Qs()`, `@Paginate()` or a `QueryPipe`.
 */
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

/**
 * Returns a pipe class that Nest instantiates, so that the options of `QueryModule` are injected.
 */
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

/**
 * Sets the type that the compiler emits for a parameter to `Object`. Pipes of the application run
 * before the pipe of `@Qs()` and `@Paginate()`, and a `ValidationPipe` with `transform` would
 * instantiate the emitted type and lose the query. For `Paginator`, TypeScript emits `Function`.
 * Core has the same function; neither package depends on the other.
 */
function removeType(target: object, key: string | symbol, index: number): void {
  // Compilers emit the types as the last decorator of the method, which runs first.
  const types = Reflect.getOwnMetadata(PARAMETER_TYPES, target, key) as unknown[] | undefined;
  if (types) Reflect.defineMetadata(PARAMETER_TYPES, types.with(index, Object), target, key);
}

const PARAMETER_TYPES = 'design:paramtypes';
