import { UseInterceptors } from '@nestjs/common';
import type { QueryFieldConfig } from '../config/field-config.js';
import { InvalidQueryConfigError, MisplacedDecoratorError } from '../query.errors.js';
import type { RouteQueryOptions } from '../query.options.js';
import { QueryBodyInterceptor } from './query-body.interceptor.js';

/** The config and options of the `@Qs()` on a route handler. */
export interface ListRoute {
  readonly config: QueryFieldConfig | undefined;
  readonly options: RouteQueryOptions | undefined;
}

const LIST_ROUTE = Symbol('fledge:LIST_ROUTE');
const INTERCEPTED = Symbol('fledge:INTERCEPTED');

export function listRouteOf(handler: Function): ListRoute | undefined {
  return Reflect.getMetadata(LIST_ROUTE, handler) as ListRoute | undefined;
}

/**
 * Records a `@Qs()`.
 * @param place the handler, for the error
 * @throws InvalidQueryConfigError if the handler has another `@Qs()` with another config. Each of
 * them would read the whole query string, and reject or drop the fields of the other
 */
export function recordListRoute(handler: Function, route: ListRoute, place: string): void {
  const other = listRouteOf(handler);
  if (other !== undefined && other.config !== route.config) {
    throw new InvalidQueryConfigError(
      `${place} has two @Qs() with different configs.`,
      'Use one @Qs() whose config has the fields of both.',
    );
  }
  Reflect.defineMetadata(LIST_ROUTE, route, handler);
}

const PAGINATED_ROUTE = Symbol('fledge:PAGINATED_ROUTE');

/** Returns the config and options that the handler's query is parsed with. */
export function parsedRouteOf(handler: Function): ListRoute | undefined {
  const paginated = Reflect.getMetadata(PAGINATED_ROUTE, handler) as ListRoute | undefined;
  return paginated ?? listRouteOf(handler);
}

/** Records a `@Paginate()` with its own config. */
export function recordPaginatedRoute(handler: Function, route: ListRoute): void {
  Reflect.defineMetadata(PAGINATED_ROUTE, route, handler);
}

/**
 * Returns the method whose parameter has the decorator. Also adds `QueryBodyInterceptor` to the
 * method.
 * @param index the third argument of the decorator. In JavaScript, the decorator can also be on a
 * method, a property or a class, and then receives no index
 * @throws MisplacedDecoratorError
 */
export function handlerOf(
  target: object,
  key: string | symbol | undefined,
  index: unknown,
): Function {
  const descriptor = key === undefined ? undefined : Object.getOwnPropertyDescriptor(target, key);
  if (typeof index !== 'number') {
    throw new MisplacedDecoratorError(
      key === undefined ? (target as Function).name : placeOf(target, key),
    );
  }
  if (typeof descriptor?.value !== 'function') {
    throw new MisplacedDecoratorError(`a parameter of ${placeOf(target, key)}`);
  }
  const handler = descriptor.value as Function;
  if (!Reflect.hasMetadata(INTERCEPTED, handler)) {
    Reflect.defineMetadata(INTERCEPTED, true, handler);
    UseInterceptors(QueryBodyInterceptor)(target, key as string | symbol, descriptor);
  }
  return handler;
}

/** Returns a name such as `TasksController.list`, for messages. */
export function placeOf(target: object, key: string | symbol | undefined): string {
  const { name } = typeof target === 'function' ? target : target.constructor;
  return key === undefined ? `new ${name}` : `${name}.${String(key)}`;
}
