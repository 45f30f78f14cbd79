import { answersQueryMethod } from './described-query.js';
import { QUERY_MEDIA_TYPES } from './query-body.js';
import type { StandardQuerySchema } from './standard-query-schema.js';
import { API_PARAMETERS, type ApiParameter, parametersOf } from './swagger-parameters.js';

/**
 * Documents the body of an HTTP QUERY list for @nestjs/swagger. Records the same metadata as
 * `@ApiBody({ schema })` and `@ApiConsumes()`. Does nothing if the handler has these decorators.
 * Called at startup, because the method and the options are then available.
 */
export function describeQueryBody(handler: Function, schema: StandardQuerySchema): void {
  const { properties } = schema;
  if (!answersQueryMethod(handler) || Object.keys(properties).length === 0) return;
  const others = parametersOf(handler).filter((parameter) => !recorded.has(parameter));
  if (others.some(({ in: place }) => place === 'body')) return;
  // `@ApiBody()` also writes this type next to a schema.
  const body = { in: 'body', type: String, required: true, schema: { type: 'object', properties } };
  recorded.add(body);
  Reflect.defineMetadata(API_PARAMETERS, [...others, body], handler);
  if (Reflect.hasMetadata(API_CONSUMES, handler)) return;
  Reflect.defineMetadata(API_CONSUMES, QUERY_MEDIA_TYPES, handler);
}

const API_CONSUMES = 'swagger/apiConsumes';

/** Replaced, because another application in the process may have other options. */
const recorded = new WeakSet<ApiParameter>();
