import type { Type } from '@nestjs/common';
import {
  CONTROLLER_WATERMARK,
  PATH_METADATA,
  ROUTE_ARGS_METADATA,
} from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';

/** Returns true if a method is an HTTP route. A route has a decorator such as `@Get()`. */
export function isRouteHandler(method: Function): boolean {
  return Reflect.hasMetadata(PATH_METADATA, method);
}

/** A decorated parameter of a route handler, or of a message handler. */
export interface HandlerParameter {
  /** Name of a controller's decorator. Undefined if this package does not know Nest's number. */
  readonly decorator: string | undefined;
  readonly index: number;
  readonly pipes: readonly unknown[];
}

export function parametersOf(owner: Type, methodName: string): HandlerParameter[] {
  const args = (Reflect.getMetadata(ROUTE_ARGS_METADATA, owner, methodName) ?? {}) as Record<
    string,
    { index: number; pipes?: unknown[] }
  >;
  return Object.entries(args).map(([key, { index, pipes = [] }]) => ({
    decorator: isController(owner) ? DECORATORS[Number(key.split(':')[0])] : undefined,
    index,
    pipes,
  }));
}

const DECORATORS: Partial<Record<number, string>> = {
  [RouteParamtypes.BODY]: '@Body()',
  [RouteParamtypes.RAW_BODY]: '@RawBody()',
  [RouteParamtypes.QUERY]: '@Query()',
  [RouteParamtypes.PARAM]: '@Param()',
  [RouteParamtypes.HEADERS]: '@Headers()',
};

/** Nest numbers the decorators of controllers and of message handlers differently. */
function isController(owner: Type): boolean {
  return Reflect.hasMetadata(CONTROLLER_WATERMARK, owner);
}
