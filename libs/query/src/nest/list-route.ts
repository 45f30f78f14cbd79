import {
  type MethodParameterDecorator,
  methodParameter,
  nameDecorated,
} from '@fledge-internal/nest-modules';
import { type CallHandler, type ExecutionContext, UseInterceptors } from '@nestjs/common';
import type { Observable } from 'rxjs';
import type { QueryFieldConfig } from '../config/field-config.js';
import { InvalidQueryConfigError, MisplacedDecoratorError } from '../query.errors.js';
import type { RouteQueryOptions } from '../query.options.js';
import { InvalidQueryInterceptor } from './invalid-query.interceptor.js';
import { type ListRequest, type ListResponse, readQueryBody } from './query-body.js';

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
 * Restricts `@Qs()` or `@Paginate()` to parameters of methods. Adds `QueryBodyInterceptor` to the
 * method.
 * @param decorate receives the method and its name for messages, and returns the decorator of the
 * parameter
 * @throws MisplacedDecoratorError when the decorator is applied in another place
 */
export function listParameter(
  name: string,
  decorate: (handler: Function, place: string) => MethodParameterDecorator,
): ParameterDecorator {
  return methodParameter(
    name,
    (target, key, index) => {
      const descriptor = Object.getOwnPropertyDescriptor(target, key)!;
      const handler = descriptor.value as Function;
      if (!Reflect.hasMetadata(INTERCEPTED, handler)) {
        Reflect.defineMetadata(INTERCEPTED, true, handler);
        UseInterceptors(QueryBodyInterceptor)(target, key, descriptor);
      }
      decorate(handler, nameDecorated(target, key))(target, key, index);
    },
    (message) => new MisplacedDecoratorError(message),
  );
}

/**
 * Reads the body of HTTP QUERY on routes with `@Qs()` or `@Paginate()`. This is an interceptor and
 * not a pipe, because pipes run later and do not receive the request.
 */
class QueryBodyInterceptor extends InvalidQueryInterceptor {
  override intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (context.getType() === 'http') {
      const http = context.switchToHttp();
      readQueryBody(http.getRequest<ListRequest>(), http.getResponse<ListResponse>());
    }
    return super.intercept(context, next);
  }
}
