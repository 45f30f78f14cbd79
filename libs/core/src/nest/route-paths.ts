import { RequestMethod, type Type, VERSION_NEUTRAL } from '@nestjs/common';
import {
  METHOD_METADATA,
  MODULE_PATH,
  PATH_METADATA,
  VERSION_METADATA,
} from '@nestjs/common/constants.js';
import { addLeadingSlash } from '@nestjs/common/utils/shared.utils.js';
import type { ApplicationConfig } from '@nestjs/core';
import { RoutePathFactory } from '@nestjs/core/router/route-path-factory.js';
import { isRouteHandler } from './handler-parameters.js';

/** The paths include the global prefix, the module path and the URI version. */
export function mountPathsOf(
  controller: Type,
  module: Type | undefined,
  applicationId: string,
  config: ApplicationConfig,
): string[] {
  return pathFactory(controller, module, applicationId, config)({});
}

/** An HTTP method and a path, in path-to-regexp syntax. */
export interface HttpRoute {
  readonly verb: string;
  /** Path with global prefix, module path and URI version. */
  readonly path: string;
}

/** Empty if the method is not a route. */
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
  const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod;
  const methodVersion = Reflect.getMetadata(VERSION_METADATA, handler) as Version | undefined;
  const own = (Reflect.getMetadata(PATH_METADATA, handler) ?? '') as string | string[];
  const create = pathFactory(controller, module as Type | undefined, applicationId, config);
  return [own]
    .flat()
    .flatMap((path) =>
      create(
        { methodPath: addLeadingSlash(path), ...(methodVersion && { methodVersion }) },
        method,
      ).map((each) => ({ verb: RequestMethod[method], path: each })),
    );
}

type PathPart = Parameters<RoutePathFactory['create']>[0];

/** Returns a function that creates the paths of a controller, or of one of its methods. */
function pathFactory(
  controller: Type,
  module: Type | undefined,
  applicationId: string,
  config: ApplicationConfig,
): (method: PathPart, verb?: RequestMethod) => string[] {
  const paths = (Reflect.getMetadata(PATH_METADATA, controller) ?? []) as string | string[];
  const modulePath = module && modulePathOf(module, applicationId);
  const versioning = config.getVersioning();
  const version =
    versioning &&
    ((Reflect.getMetadata(VERSION_METADATA, controller) as Version | undefined) ??
      versioning.defaultVersion);
  const factory = new RoutePathFactory(config);
  return (method, verb) =>
    [paths].flat().flatMap((path) =>
      factory.create(
        {
          ctrlPath: addLeadingSlash(path),
          globalPrefix: addLeadingSlash(config.getGlobalPrefix()),
          ...method,
          ...(modulePath && { modulePath }),
          ...(version && { controllerVersion: version }),
          ...(versioning && { versioningOptions: versioning }),
        },
        verb,
      ),
    );
}

type Version = string | typeof VERSION_NEUTRAL | (string | typeof VERSION_NEUTRAL)[];

function modulePathOf(module: Type, applicationId: string): string | undefined {
  return (Reflect.getMetadata(MODULE_PATH + applicationId, module) ??
    Reflect.getMetadata(MODULE_PATH, module)) as string | undefined;
}
