import type { Type } from '@nestjs/common';
import type { StandardSchema } from '../decorators/author-schema.js';
import type { HttpMethod } from '../../mcp.definitions.js';
import type { QueryReads } from './query-parser.js';

/**
 * The source of a handler parameter's value. `request` is the whole request or its raw body, `file`
 * is an upload, `other` is anything else that is not a tool argument.
 */
export type ParameterSource = 'path' | 'query' | 'body' | 'request' | 'file' | 'other';

/** One decorated parameter of a handler. */
export interface RouteParameter {
  /** Position in the handler's argument list. */
  readonly index: number;
  readonly source: ParameterSource;
  /**
   * The name in the decorator: `'id'` for `@Param('id')`. Undefined for a complete `@Body()`,
   * `@Query()` or `@Param()`.
   */
  readonly name: string | undefined;
  /**
   * Type from `design:paramtypes`: a class, `String`, `Object` .... Undefined if the compiler
   * emitted none.
   */
  readonly type: Type | undefined;
  /** Standard Schema of `@Body({ schema })` (Nest 12). */
  readonly schema: StandardSchema | undefined;
  /** Pipes of the parameter: classes or instances. */
  readonly pipes: readonly unknown[];
}

/**
 * The `controller` of a route without a controller method. For example, a tool source calls a path.
 */
export const NO_CONTROLLER: Type = Object;

/** Creates a route that has no controller method. */
export function noMethodRoute(label: string, verb: HttpMethod, path: string): Route {
  return {
    controller: NO_CONTROLLER,
    handler: () => undefined,
    methodName: '',
    label,
    verb,
    path,
    otherPaths: [],
    pathParameters: [],
    parameters: [],
    consumes: 'application/json',
    upload: undefined,
    queryReads: 'objects',
    version: { kind: 'none' },
  };
}

/**
 * Returns true if both routes call the same method. Several modules may serve one method at
 * different paths.
 */
export function isSameMethod(
  { controller, methodName }: Pick<Route, 'controller' | 'methodName'>,
  other: Pick<Route, 'controller' | 'methodName'>,
): boolean {
  return controller === other.controller && methodName === other.methodName;
}

/** A controller route as it is registered in the router. */
export interface Route {
  /** The class that is registered with Nest. For an inherited method, this is the subclass. */
  readonly controller: Type;
  readonly handler: Function;
  readonly methodName: string;
  /** Name for messages, such as `TasksController.create`. */
  readonly label: string;
  readonly verb: HttpMethod;
  /** Complete path with prefix and version, in the syntax of the router: `/api/v1/tasks/:id`. */
  readonly path: string;
  /** The other paths of `@Get(['a', 'b'])` or of several versions. Calls use only `path`. */
  readonly otherPaths: readonly string[];
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
   * The reason why the route needs a file. Tool calls cannot send files. Undefined if the route
   * needs no file.
   */
  readonly upload: string | undefined;
  /**
   * The kind of values that the application's query string parser supports: objects, or only
   * strings and lists of strings.
   */
  readonly queryReads: QueryReads;
  /** The part of a request, besides the path, that selects this version of the route. */
  readonly version: RouteVersion;
}

/**
 * The part of a request that selects a version, for routes with the same path. Used by header,
 * media-type and custom versioning.
 */
export type RouteVersion =
  | { readonly kind: 'none' }
  | { readonly kind: 'header'; readonly header: string; readonly value: string }
  /**
   * `parameter` is appended to the media type in `Accept`: `v=2`. Undefined for a list with
   * VERSION_NEUTRAL. Nest 11 would read any other parameter, such as `q=0.5`, as a version.
   */
  | { readonly kind: 'media-type'; readonly parameter: string | undefined }
  /** The result of the application's version extractor is replaced with `value`. */
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
