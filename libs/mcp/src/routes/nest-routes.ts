import {
  RequestMethod,
  type Type,
  VERSION_NEUTRAL,
  type VersioningOptions,
  VersioningType,
} from '@nestjs/common';
import {
  INTERCEPTORS_METADATA,
  METHOD_METADATA,
  MODULE_PATH,
  PARAMTYPES_METADATA,
  PATH_METADATA,
  RENDER_METADATA,
  ROUTE_ARGS_METADATA,
  SSE_METADATA,
  VERSION_METADATA,
} from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { addLeadingSlash } from '@nestjs/common/utils/shared.utils.js';
import type { ApplicationConfig } from '@nestjs/core';
import { LegacyRouteConverter } from '@nestjs/core/router/legacy-route-converter.js';
import { RoutePathFactory } from '@nestjs/core/router/route-path-factory.js';
import { isStandardSchema } from '../decorators/author-schema.js';
import type { ParameterSource, RouteParameter, RouteVersion } from './route.js';

// The one file of this package that reads what Nest's router keeps to itself: its metadata keys
// and its path composition. `test/routes.spec.ts` notices a change.

/** A method Nest would register as a route, before anything is decided about it. */
export interface NestRoute {
  readonly verb: keyof typeof RequestMethod;
  /** As composed by Nest's own factory: prefix, exclusions, module path, version, every array. */
  readonly paths: readonly string[];
  readonly version: RouteVersion;
  /** Why its answer is no plain body, where it is none. */
  readonly streams: 'sse' | 'render' | undefined;
}

/** A method of a controller, and what decides on its path besides its decorators. */
export interface ControllerMethod {
  readonly controller: Type;
  readonly methodName: string;
  readonly module: Type | undefined;
  readonly applicationId: string;
}

/** The verb and the paths under which Nest serves a method; undefined where it is no route. */
export function nestRouteOf(
  method: ControllerMethod,
  config: ApplicationConfig,
): NestRoute | undefined {
  const handler = handlerOf(method.controller, method.methodName);
  const methodPaths = Reflect.getMetadata(PATH_METADATA, handler) as Paths | undefined;
  const controllerPaths = Reflect.getMetadata(PATH_METADATA, method.controller) as
    Paths | undefined;
  if (methodPaths === undefined || controllerPaths === undefined) return undefined;

  const verb = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod;
  const versioning = config.getVersioning();
  const versions = versionsOf(method.controller, handler, versioning);
  const factory = new RoutePathFactory(config);
  const around = {
    globalPrefix: addLeadingSlash(config.getGlobalPrefix()),
    ...(method.module && { modulePath: modulePathOf(method.module, method.applicationId) }),
    ...versions,
    ...(versioning && { versioningOptions: versioning }),
  };
  const paths = [controllerPaths].flat().flatMap((ctrlPath) =>
    [methodPaths].flat().flatMap((methodPath) =>
      factory.create(
        {
          ctrlPath: addLeadingSlash(ctrlPath),
          methodPath: addLeadingSlash(methodPath),
          ...around,
        },
        verb,
      ),
    ),
  );
  const version = versions.methodVersion ?? versions.controllerVersion;
  return {
    verb: RequestMethod[verb] as keyof typeof RequestMethod,
    paths: paths.map((path) => LegacyRouteConverter.tryConvert(path, { logs: false })),
    version: versioning ? versionOf(version, versioning) : NO_VERSION,
    streams: streamsOf(handler),
  };
}

type Paths = string | string[];

/** What the decorators say of versions, under the names Nest's factory gives them. */
function versionsOf(
  controller: Type,
  handler: Function,
  versioning: VersioningOptions | undefined,
): { readonly methodVersion?: Version; readonly controllerVersion?: Version } {
  const methodVersion = Reflect.getMetadata(VERSION_METADATA, handler) as Version | undefined;
  const controllerVersion =
    versioning &&
    ((Reflect.getMetadata(VERSION_METADATA, controller) as Version | undefined) ??
      versioning.defaultVersion);
  return {
    ...(methodVersion && { methodVersion }),
    ...(controllerVersion && { controllerVersion }),
  };
}

function streamsOf(handler: Function): NestRoute['streams'] {
  if (Reflect.hasMetadata(SSE_METADATA, handler)) return 'sse';
  return Reflect.hasMetadata(RENDER_METADATA, handler) ? 'render' : undefined;
}

/** The decorated parameters of a handler, in the order of its argument list. */
export function nestParametersOf(controller: Type, methodName: string): RouteParameter[] {
  const args = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, methodName) ?? {}) as Record<
    string,
    { index: number; data?: unknown; pipes?: unknown[]; schema?: unknown }
  >;
  const types = (Reflect.getMetadata(
    PARAMTYPES_METADATA,
    controller.prototype as object,
    methodName,
  ) ?? []) as (Type | undefined)[];

  return Object.entries(args)
    .map(([key, { index, data, pipes, schema }]) => ({
      index,
      source: SOURCES[Number(key.split(':')[0])] ?? ('other' as const),
      name: typeof data === 'string' ? data : undefined,
      type: types[index],
      schema: isStandardSchema(schema) ? schema : undefined,
      pipes: pipes ?? [],
    }))
    .sort((a, b) => a.index - b.index);
}

/** What `@UseInterceptors` was given on a handler or a class. */
export function nestInterceptorsOf(target: Function): readonly unknown[] {
  return (Reflect.getMetadata(INTERCEPTORS_METADATA, target) ?? []) as readonly unknown[];
}

/** The function Nest calls for a route: of the class itself or the nearest base class. */
export function handlerOf(controller: Type, methodName: string): Function {
  return (controller.prototype as Record<string, Function>)[methodName] as Function;
}

type Version = string | typeof VERSION_NEUTRAL | (string | typeof VERSION_NEUTRAL)[];

const NO_VERSION: RouteVersion = { kind: 'none' };

const SOURCES: Partial<Record<number, ParameterSource>> = {
  [RouteParamtypes.PARAM]: 'path',
  [RouteParamtypes.QUERY]: 'query',
  [RouteParamtypes.BODY]: 'body',
  [RouteParamtypes.RAW_BODY]: 'request',
  [RouteParamtypes.REQUEST]: 'request',
  [RouteParamtypes.FILE]: 'file',
  [RouteParamtypes.FILES]: 'file',
};

function modulePathOf(module: Type, applicationId: string): string {
  return ((Reflect.getMetadata(MODULE_PATH + applicationId, module) as string | undefined) ??
    Reflect.getMetadata(MODULE_PATH, module) ??
    '') as string;
}

function versionOf(version: Version | undefined, versioning: VersioningOptions): RouteVersion {
  const versions = [version].flat();
  // A neutral route answers requests of no version: nothing has to be said.
  if (versions.includes(VERSION_NEUTRAL)) return NO_VERSION;
  const value = versions.find((candidate) => typeof candidate === 'string');
  if (value === undefined) return NO_VERSION;
  switch (versioning.type) {
    case VersioningType.HEADER:
      return { kind: 'header', header: versioning.header.toLowerCase(), value };
    case VersioningType.MEDIA_TYPE:
      return { kind: 'media-type', parameter: `${versioning.key}${value}` };
    case VersioningType.CUSTOM:
      return { kind: 'custom', value };
    case VersioningType.URI:
      return NO_VERSION;
  }
}
