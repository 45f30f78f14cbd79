import type { Type } from '@nestjs/common';
import type { StandardSchema } from '../decorators/author-schema.js';
import type { HttpMethod } from '../../mcp.definitions.js';
import type { QueryReads } from './query-parser.js';

/**
 * Where a handler parameter gets its value. `request` is the whole request or its raw body, `file`
 * an upload, `other` anything else that is not a tool argument.
 */
export type ParameterSource = 'path' | 'query' | 'body' | 'request' | 'file' | 'other';

/** One decorated parameter of a handler. */
export interface RouteParameter {
  /** Position in the handler's argument list. */
  readonly index: number;
  readonly source: ParameterSource;
  /** `'id'` for `@Param('id')`; undefined for a whole `@Body()`, `@Query()` or `@Param()`. */
  readonly name: string | undefined;
  /** From `design:paramtypes`: a class, `String`, `Object` ...; undefined if none was emitted. */
  readonly type: Type | undefined;
  /** Standard Schema of `@Body({ schema })` (Nest 12). */
  readonly schema: StandardSchema | undefined;
  /** Pipes of the parameter, classes or instances. */
  readonly pipes: readonly unknown[];
}

/** The `controller` of a route that is no method of a controller, such as the path of a tool source. */
export const NO_CONTROLLER: Type = Object;

/** A route that is no method of a controller. */
export function noMethodRoute(label: string, verb: HttpMethod, path: string): Route {
  return {
    controller: NO_CONTROLLER,
    handler: () => undefined,
    methodName: '',
    label,
    verb,
    path,
    pathParameters: [],
    parameters: [],
    consumes: 'application/json',
    upload: undefined,
    queryReads: 'objects',
    version: { kind: 'none' },
  };
}

/** Whether two routes are the same method, which several modules may serve under several paths. */
export function isSameMethod(
  { controller, methodName }: Pick<Route, 'controller' | 'methodName'>,
  other: Pick<Route, 'controller' | 'methodName'>,
): boolean {
  return controller === other.controller && methodName === other.methodName;
}

/** A controller route as the router serves it. */
export interface Route {
  /** The class registered with Nest. For an inherited method, the subclass. */
  readonly controller: Type;
  readonly handler: Function;
  readonly methodName: string;
  /** `TasksController.create`, for messages. */
  readonly label: string;
  readonly verb: HttpMethod;
  /** Composed path with prefix and version, in path-to-regexp syntax: `/api/v1/tasks/:id`. */
  readonly path: string;
  /** `path` without the version of URI versioning. Undefined if they are equal. */
  readonly unversionedPath?: string;
  /** Path parameters in order, including wildcards. */
  readonly pathParameters: readonly PathParameter[];
  readonly parameters: readonly RouteParameter[];
  /** Media type of the request body: the first of `@ApiConsumes` a call can send, else JSON. */
  readonly consumes: string;
  /** Why the route needs a file, which a tool call cannot send; undefined if it needs none. */
  readonly upload: string | undefined;
  /** What the application's query parser reads: texts and lists of them, or objects too. */
  readonly queryReads: QueryReads;
  /** What a request needs besides the path to reach this version of the route. */
  readonly version: RouteVersion;
}

/** How header, media-type and custom versioning select one of several routes with one path. */
export type RouteVersion =
  | { readonly kind: 'none' }
  | { readonly kind: 'header'; readonly header: string; readonly value: string }
  /** `parameter` follows the media type in `Accept`: `v=2`. */
  | { readonly kind: 'media-type'; readonly parameter: string }
  /** `value` is used in place of the result of the application's version extractor. */
  | { readonly kind: 'custom'; readonly value: string };

export interface PathParameter {
  readonly name: string;
  /** `segment`: one path segment; `wildcard`: one or more, joined by slashes. */
  readonly kind: 'segment' | 'wildcard';
  /** True if it is inside an optional group of the path. */
  readonly optional: boolean;
}

const DECORATORS: Partial<Record<ParameterSource, string>> = {
  path: 'Param',
  query: 'Query',
  body: 'Body',
};

/** `TasksController.create, parameter 1 (@Query('page'))`, for messages. */
export function parameterLabel(route: Route, parameter: RouteParameter): string {
  const name = parameter.name === undefined ? '' : `'${parameter.name}'`;
  return `${route.label}, parameter ${parameter.index} (@${DECORATORS[parameter.source] ?? 'parameter'}(${name}))`;
}
