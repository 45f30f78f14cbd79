import { UseInterceptors } from '@nestjs/common';
import type { QueryFieldConfig } from '../config/field-config.js';
import { InvalidQueryInterceptor } from './invalid-query.interceptor.js';
import type { RouteQueryOptions } from './query-module.options.js';

/** What a route lets its callers ask for, and how it reads that. */
export interface ListRoute {
  readonly config: QueryFieldConfig | undefined;
  readonly options: RouteQueryOptions | undefined;
}

const LIST_ROUTE = Symbol('fledge:LIST_ROUTE');
const INTERCEPTED = Symbol('fledge:INTERCEPTED');

/** What `@Qs()` recorded on a handler. */
export function listRouteOf(handler: Function): ListRoute | undefined {
  return Reflect.getMetadata(LIST_ROUTE, handler) as ListRoute | undefined;
}

export function recordListRoute(handler: Function, route: ListRoute): void {
  Reflect.defineMetadata(LIST_ROUTE, route, handler);
}

/** The method a parameter decorator stands in. What it throws of an invalid query is a 400 from now on. */
export function handlerOf(target: object, key: string | symbol | undefined): Function {
  const descriptor = key === undefined ? undefined : Object.getOwnPropertyDescriptor(target, key);
  if (typeof descriptor?.value !== 'function') {
    throw new TypeError('@Qs() and @Paginate() are for parameters of a route handler.');
  }
  const handler = descriptor.value as Function;
  if (!Reflect.hasMetadata(INTERCEPTED, handler)) {
    Reflect.defineMetadata(INTERCEPTED, true, handler);
    UseInterceptors(InvalidQueryInterceptor)(target, key as string | symbol, descriptor);
  }
  return handler;
}
