import type { Type } from '@nestjs/common';
import type { StandardSchema } from '../decorators/author-schema.js';
import type { HttpMethod } from '../mcp.definitions.js';
import type { QueryReads } from './query-parser.js';

/**
 * Where a handler parameter takes its value from. `request` is the whole request or its raw body,
 * `file` an upload; `other` is anything else that is no argument of a tool.
 */
export type ParameterSource = 'path' | 'query' | 'body' | 'request' | 'file' | 'other';

/** One decorated parameter of a handler. */
export interface RouteParameter {
  /** Position in the handler's argument list. */
  readonly index: number;
  readonly source: ParameterSource;
  /** `'id'` for `@Param('id')`; undefined for the whole of `@Body()`, `@Query()`, `@Param()`. */
  readonly name: string | undefined;
  /** Type from `design:paramtypes`: a class, `String`, `Number`, `Object` ...; undefined where none was emitted. */
  readonly type: Type | undefined;
  /** Standard Schema of `@Body({ schema })` (Nest 12). */
  readonly schema: StandardSchema | undefined;
  /** Pipes of the parameter, classes or instances. */
  readonly pipes: readonly unknown[];
}

/** A controller route as the router serves it. */
export interface Route {
  /** The class registered with Nest: for an inherited method the subclass. */
  readonly controller: Type;
  readonly handler: Function;
  readonly methodName: string;
  /** `TasksController.create`, for messages. */
  readonly label: string;
  readonly verb: HttpMethod;
  /** Composed path with prefix and version, in path-to-regexp syntax: `/api/v1/tasks/:id`. */
  readonly path: string;
  /** Names of the path's parameters in order; wildcards included. */
  readonly pathParameters: readonly PathParameter[];
  readonly parameters: readonly RouteParameter[];
  /** Media type of the request body: the first of `@ApiConsumes` that a call can write, else JSON. */
  readonly consumes: string;
  /** Why the route needs a file, which no tool call carries; undefined where it does not. */
  readonly upload: string | undefined;
  /** What the application's query parser reads: texts and lists of them, or objects too. */
  readonly queryReads: QueryReads;
  /** What a request must carry besides the path to reach this version of the route. */
  readonly version: RouteVersion;
}

/** How header, media-type and custom versioning tell routes of one path apart. */
export type RouteVersion =
  | { readonly kind: 'none' }
  | { readonly kind: 'header'; readonly header: string; readonly value: string }
  /** `parameter` follows the media type in `Accept`: `v=2`. */
  | { readonly kind: 'media-type'; readonly parameter: string }
  /** `value` is what the application's own extractor would have answered. */
  | { readonly kind: 'custom'; readonly value: string };

export interface PathParameter {
  readonly name: string;
  /** `segment`: one path segment; `wildcard`: one or more, joined by slashes. */
  readonly kind: 'segment' | 'wildcard';
  /** Inside an optional group of the path. */
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
