import { RequestMethod, type Type, VERSION_NEUTRAL, type VersioningOptions } from '@nestjs/common';
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
  return pathsOf({ controller, module, method: {} }, applicationId, config);
}

interface Place {
  readonly controller: Type;
  readonly module: Type | undefined;
  /** The path and the version of a method. Empty for the paths of the controller. */
  readonly method: PathParts;
  readonly verb?: RequestMethod;
}

function pathsOf(
  { controller, module, method, verb }: Place,
  applicationId: string,
  config: ApplicationConfig,
): string[] {
  const paths = (Reflect.getMetadata(PATH_METADATA, controller) ?? []) as string | string[];
  const modulePath = module && modulePathOf(module, applicationId);
  const versioning = config.getVersioning();
  const version = versioning && versionOf(controller, versioning);
  const around: PathParts = {
    globalPrefix: addLeadingSlash(config.getGlobalPrefix()),
    ...(modulePath && { modulePath }),
    ...(version && { controllerVersion: version }),
    ...(versioning && { versioningOptions: versioning }),
    ...method,
  };
  const factory = new RoutePathFactory(config);
  return [paths]
    .flat()
    .flatMap((path) => factory.create({ ctrlPath: addLeadingSlash(path), ...around }, verb));
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
  const verb = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod;
  const methodVersion = Reflect.getMetadata(VERSION_METADATA, handler) as Version | undefined;
  const own = (Reflect.getMetadata(PATH_METADATA, handler) ?? '') as string | string[];
  const paths = [own].flat().flatMap((path) => {
    const method: PathParts = {
      methodPath: addLeadingSlash(path),
      ...(methodVersion && { methodVersion }),
    };
    const place = { controller, module: module as Type | undefined, method, verb };
    return pathsOf(place, applicationId, config);
  });
  return paths.map((path) => ({ verb: RequestMethod[verb], path }));
}

type PathParts = Parameters<RoutePathFactory['create']>[0];

type Version = string | typeof VERSION_NEUTRAL | (string | typeof VERSION_NEUTRAL)[];

function modulePathOf(module: Type, applicationId: string): string | undefined {
  return (Reflect.getMetadata(MODULE_PATH + applicationId, module) ??
    Reflect.getMetadata(MODULE_PATH, module)) as string | undefined;
}

function versionOf(controller: Type, { defaultVersion }: VersioningOptions): Version | undefined {
  const own = Reflect.getMetadata(VERSION_METADATA, controller) as Version | undefined;
  return own ?? defaultVersion;
}
