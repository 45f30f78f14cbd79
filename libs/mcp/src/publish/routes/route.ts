import type { Type } from '@nestjs/common';
import type { StandardSchema } from '../decorators/author-schema.js';
import type { HttpMethod } from '../../mcp.definitions.js';
import type { QueryReads } from './query-parser.js';

/**
 * Where a handler parameter gets its value. `request` is the whole request or its raw body, `file`
 * is an upload, `other` is anything else that is not a tool argument.
 */
export type ParameterSource = 'path' | 'query' | 'body' | 'request' | 'file' | 'other';

/** One decorated parameter of a handler. */
export interface RouteParameter {
  /** Position in the handler's argument list. */
  readonly index: number;
  readonly source: ParameterSource;
  /** `'id'` for `@Param('id')`; undefined for a complete `@Body()`, `@Query()` or `@Param()`. */
  readonly name: string | undefined;
  /**
   * Type from `design:paramtypes`: a class, `String`, `Object` ...; undefined if none was emitted.
   */
  readonly type: Type | undefined;
  /** Standard Schema of `@Body({ schema })` (Nest 12). */
  readonly schema: StandardSchema | undefined;
  /** Pipes of the parameter: classes or instances. */
  readonly pipes: readonly unknown[];
}

/**
 * The `controller` of a route that is not a controller method, such as the path of a tool source.
 */
export const NO_CONTROLLER: Type = Object;

/** Creates a route that is not a controller method. */
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

/**
 * Returns true if two routes belong to the same method, which several modules may serve at
 * different paths.
 */
export function isSameMethod(
  { controller, methodName }: Pick<Route, 'controller' | 'methodName'>,
  other: Pick<Route, 'controller' | 'methodName'>,
): boolean {
  return controller === other.controller && methodName === other.methodName;
}

/** A controller route as the router serves it. */
export interface Route {
  /** The class that is registered with Nest. For an inherited method, this is the subclass. */
  readonly controller: Type;
  readonly handler: Function;
  readonly methodName: string;
  /** Name for messages, such as `TasksController.create`. */
  readonly label: string;
  readonly verb: HttpMethod;
  /** Complete path with prefix and version, in path-to-regexp syntax: `/api/v1/tasks/:id`. */
  readonly path: string;
  /** `path` without the version of URI versioning. Undefined if both paths are equal. */
  readonly unversionedPath?: string;
  /** Path parameters in order, including wildcards. */
  readonly pathParameters: readonly PathParameter[];
  readonly parameters: readonly RouteParameter[];
  /**
   * Media type of the request body: the first type in `@ApiConsumes` that a call can send, or else
   * JSON.
   */
  readonly consumes: string;
  /**
   * The reason why the route needs a file, which a tool call cannot send. Undefined if it needs no
   * file.
   */
  readonly upload: string | undefined;
  /**
   * Whether the application's query string parser supports objects, or only strings and lists of
   * strings.
   */
  readonly queryReads: QueryReads;
  /** How a request selects this version of the route, in addition to the path. */
  readonly version: RouteVersion;
}

/** How header, media-type and custom versioning select one of several routes with the same path. */
export type RouteVersion =
  | { readonly kind: 'none' }
  | { readonly kind: 'header'; readonly header: string; readonly value: string }
  /** `parameter` is appended to the media type in `Accept`: `v=2`. */
  | { readonly kind: 'media-type'; readonly parameter: string }
  /** `value` is used instead of the result of the application's version extractor. */
  | { readonly kind: 'custom'; readonly value: string };

export interface PathParameter {
  readonly name: string;
  /** `segment`: one path segment; `wildcard`: one or more, joined by slashes. */
  readonly kind: 'segment' | 'wildcard';
  /** True if the parameter is in an optional group of the path. */
  readonly optional: boolean;
}

const DECORATORS: Partial<Record<ParameterSource, string>> = {
  path: 'Param',
  query: 'Query',
  body: 'Body',
};

/** Returns a label for messages, such as `TasksController.create, parameter 1 (@Query('page'))`. */
export function parameterLabel(route: Route, parameter: RouteParameter): string {
  const name = parameter.name === undefined ? '' : `'${parameter.name}'`;
  return `${route.label}, parameter ${parameter.index} (@${DECORATORS[parameter.source] ?? 'parameter'}(${name}))`;
}
