import { RequestMethod, type Type, VERSION_NEUTRAL } from '@nestjs/common';
import {
  CONTROLLER_WATERMARK,
  METHOD_METADATA,
  MODULE_PATH,
  PATH_METADATA,
  ROUTE_ARGS_METADATA,
  VERSION_METADATA,
} from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { addLeadingSlash } from '@nestjs/common/utils/shared.utils.js';
import type { ApplicationConfig } from '@nestjs/core';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { REQUEST_CONTEXT_ID } from '@nestjs/core/router/request/request-constants.js';
import { RoutePathFactory } from '@nestjs/core/router/route-path-factory.js';
import type { RequestContext } from './context/request-context.js';

// The one file of this package that reads what Nest keeps to itself. `nest-internals.spec.ts`
// notices a change.

/** Whether a method is an HTTP route: one of Nest's verb decorators stands on it. */
export function isRouteHandler(method: Function): boolean {
  return Reflect.hasMetadata(PATH_METADATA, method);
}

/** A decorated parameter of a route handler, or of a message handler. */
export interface HandlerParameter {
  /** Of a controller's parameter; undefined where Nest's number has no name here. */
  readonly decorator: string | undefined;
  readonly index: number;
  readonly pipes: readonly unknown[];
}

/** The decorated parameters of a method. */
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

/** The paths a controller is mounted at, with global prefix, module path and URI version. */
export function mountPathsOf(
  controller: Type,
  module: Type | undefined,
  applicationId: string,
  config: ApplicationConfig,
): string[] {
  const paths = (Reflect.getMetadata(PATH_METADATA, controller) ?? []) as string | string[];
  const modulePath = module && modulePathOf(module, applicationId);
  const versioning = config.getVersioning();
  const version =
    versioning &&
    ((Reflect.getMetadata(VERSION_METADATA, controller) as Version | undefined) ??
      versioning.defaultVersion);
  const factory = new RoutePathFactory(config);

  return [paths].flat().flatMap((path) =>
    factory.create({
      ctrlPath: addLeadingSlash(path),
      globalPrefix: addLeadingSlash(config.getGlobalPrefix()),
      ...(modulePath && { modulePath }),
      ...(version && { controllerVersion: version }),
      ...(versioning && { versioningOptions: versioning }),
    }),
  );
}

/** An HTTP method and a path, in path-to-regexp syntax. */
export interface HttpRoute {
  readonly verb: string;
  /** With global prefix, module path and URI version. */
  readonly path: string;
}

/** The routes of a controller's method. Empty if it is no route. */
export function httpRoutesOf(
  {
    controller,
    methodName,
    module,
  }: { controller: Type; methodName: string; module?: Function | undefined },
  applicationId: string,
  config: ApplicationConfig,
): HttpRoute[] {
  const handler = (controller.prototype as Record<string, Function>)[methodName] as Function;
  if (!isRouteHandler(handler)) return [];
  const verb = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod];
  const own = (Reflect.getMetadata(PATH_METADATA, handler) ?? '') as string | string[];
  return mountPathsOf(controller, module as Type | undefined, applicationId, config).flatMap(
    (base) => [own].flat().map((path) => ({ verb, path: joined(base, path) })),
  );
}

function joined(base: string, path: string): string {
  const below = addLeadingSlash(path).replace(/\/$/, '');
  return base.replace(/\/$/, '') + below || '/';
}

/** What guards get of a request, for one that no route of Nest's serves. Reads the request when it is asked for. */
export class RequestExecution extends ExecutionContextHost {
  readonly #ctx: RequestContext;

  constructor(ctx: RequestContext, owner: Type, handler: Function) {
    super([], owner, handler);
    this.#ctx = ctx;
  }

  override getArgs<T extends unknown[]>(): T {
    return [this.#ctx.req, this.#ctx.res] as unknown[] as T;
  }

  override getArgByIndex<T>(index: number): T {
    return this.getArgs()[index] as T;
  }
}

/** Whether Nest, or we, already gave the request its subtree of request-scoped providers. */
export function hasContextId(request: object): boolean {
  return REQUEST_CONTEXT_ID in request;
}

/** Ties a request to its subtree of request-scoped providers, the way Nest's router does. */
export function setContextId(request: object, contextId: object): void {
  Object.defineProperty(request, REQUEST_CONTEXT_ID, { value: contextId });
}

const DECORATORS: Partial<Record<number, string>> = {
  [RouteParamtypes.BODY]: '@Body()',
  [RouteParamtypes.RAW_BODY]: '@RawBody()',
  [RouteParamtypes.QUERY]: '@Query()',
  [RouteParamtypes.PARAM]: '@Param()',
  [RouteParamtypes.HEADERS]: '@Headers()',
};

/** Message handlers number their parameters by another list. */
function isController(owner: Type): boolean {
  return Reflect.hasMetadata(CONTROLLER_WATERMARK, owner);
}

type Version = string | typeof VERSION_NEUTRAL | (string | typeof VERSION_NEUTRAL)[];

function modulePathOf(module: Type, applicationId: string): string | undefined {
  return (Reflect.getMetadata(MODULE_PATH + applicationId, module) ??
    Reflect.getMetadata(MODULE_PATH, module)) as string | undefined;
}
