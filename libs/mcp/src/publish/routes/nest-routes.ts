import {
  RequestMethod,
  type Type,
  VERSION_NEUTRAL,
  type VersioningOptions,
  VersioningType,
} from '@nestjs/common';
import {
  HOST_METADATA,
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

// The only file of this package that reads internals of Nest's router: metadata keys and path
// composition. `test/routes.spec.ts` fails if they change.

/** A method that Nest registers as a route, whether or not it is published. */
export interface NestRoute {
  readonly verb: keyof typeof RequestMethod;
  /**
   * The paths are built by Nest's own factory. The factory supports arrays of paths. It applies the
   * global prefix with its exclusions, the module path and the version.
   */
  readonly paths: readonly string[];
  /** The first path. It does not contain the version of URI versioning. */
  readonly unversionedPath: string | undefined;
  readonly version: RouteVersion;
  /** Set if the response is not a plain body: server-sent events or a rendered page. */
  readonly streams: 'sse' | 'render' | undefined;
}

/** A controller method, and everything that determines its path. */
export interface ControllerMethod {
  readonly controller: Type;
  readonly methodName: string;
  readonly module: Type | undefined;
  readonly applicationId: string;
}

/** Returns the HTTP method and paths of a controller method, or undefined if it is not a route. */
export function nestRouteOf(
  method: ControllerMethod,
  config: ApplicationConfig,
): NestRoute | undefined {
  const handler = handlerOf(method.controller, method.methodName);
  const methodPaths = Reflect.getMetadata(PATH_METADATA, handler) as Paths | undefined;
  const controllerPaths = Reflect.getMetadata(PATH_METADATA, method.controller) as
    | Paths
    | undefined;
  if (methodPaths === undefined || controllerPaths === undefined) return undefined;

  const verb = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod;
  const versioning = config.getVersioning();
  const versions = versionsOf(method.controller, handler, versioning);
  const factory = new RoutePathFactory(config);
  const unversioned = {
    globalPrefix: addLeadingSlash(config.getGlobalPrefix()),
    ...(method.module && { modulePath: modulePathOf(method.module, method.applicationId) }),
  };
  const pathsWith = (around: typeof unversioned): readonly string[] =>
    [controllerPaths].flat().flatMap((controllerPath) =>
      [methodPaths].flat().flatMap((path) => {
        const ctrlPath = addLeadingSlash(controllerPath);
        return factory.create({ ctrlPath, methodPath: addLeadingSlash(path), ...around }, verb);
      }),
    );
  const paths = pathsWith({
    ...unversioned,
    ...versions,
    ...(versioning && { versioningOptions: versioning }),
  });
  const version = versions.methodVersion ?? versions.controllerVersion;
  return {
    verb: RequestMethod[verb] as keyof typeof RequestMethod,
    paths: paths.map(converted),
    unversionedPath: pathsWith(unversioned).map(converted)[0],
    version: versioning ? versionOf(version, versioning) : NO_VERSION,
    streams: streamsOf(handler),
  };
}

type Paths = string | string[];

function converted(path: string): string {
  return LegacyRouteConverter.tryConvert(path, { logs: false });
}

/**
 * Returns the versions that decorators or the application set. The keys are option names of Nest's
 * path factory.
 */
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

/** Returns the hosts in the decorator of a controller, or undefined if it serves every host. */
export function nestHostOf(controller: Type): Host | Host[] | undefined {
  return Reflect.getMetadata(HOST_METADATA, controller) as Host | Host[] | undefined;
}

type Host = string | RegExp;

function streamsOf(handler: Function): NestRoute['streams'] {
  if (Reflect.hasMetadata(SSE_METADATA, handler)) return 'sse';
  return Reflect.hasMetadata(RENDER_METADATA, handler) ? 'render' : undefined;
}

/** Returns the decorated parameters of a handler, in the order of its argument list. */
export function nestParametersOf(controller: Type, methodName: string): RouteParameter[] {
  const args = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, methodName) ?? {}) as Record<
    string,
    { index: number; data?: unknown; pipes?: unknown[]; schema?: unknown }
  >;
  const types = (Reflect.getMetadata(
    PARAMTYPES_METADATA,
    controller.prototype as object,
    methodName,
  ) ?? []) as unknown[];

  return Object.entries(args)
    .map(([key, { index, data, pipes, schema }]) => ({
      index,
      source: SOURCES[Number(key.split(':')[0])] ?? ('other' as const),
      name: typeof data === 'string' ? data : undefined,
      type: classOf(types[index]),
      schema: isStandardSchema(schema) ? schema : undefined,
      pipes: pipes ?? [],
    }))
    .sort((a, b) => a.index - b.index);
}

/**
 * Returns the type that the compiler emitted. For an imported enum, swc and oxc emit the enum
 * itself, which is not a class. TypeScript then emits `Object`.
 */
function classOf(emitted: unknown): Type | undefined {
  if (emitted === undefined || typeof emitted === 'function') return emitted as Type | undefined;
  return Object;
}

/** Returns the arguments of `@UseInterceptors` on a handler or class. */
export function nestInterceptorsOf(target: Function): readonly unknown[] {
  return (Reflect.getMetadata(INTERCEPTORS_METADATA, target) ?? []) as readonly unknown[];
}

/**
 * Returns the function that Nest calls for a route. It is the method of the class or of the nearest
 * base class.
 */
export function handlerOf(controller: Type, methodName: string): Function {
  return (controller.prototype as Record<string, Function>)[methodName] as Function;
}

/**
 * Returns true if a function wraps a handler. Tracing packages such as OpenTelemetry wrap handlers.
 * The wrapper has the same name and metadata.
 */
export function isWrapperOf(running: Function, handler: Function): boolean {
  const keys = [PATH_METADATA, METHOD_METADATA, VERSION_METADATA];
  return (
    running.name === handler.name &&
    keys.every((key) => Reflect.getMetadata(key, running) === Reflect.getMetadata(key, handler))
  );
}

/**
 * Returns true if Nest registered this function in the router of Express or Fastify. Nest copies
 * the metadata of the handler to each registered function.
 */
export function isNestCallback(callback: Function): boolean {
  return Reflect.hasMetadata(PATH_METADATA, callback);
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
  // A version-neutral route accepts requests without a version. With custom versioning, Nest
  // instead compares a list of versions with the version that the extractor returns.
  const isCustomList = versioning.type === VersioningType.CUSTOM && Array.isArray(version);
  if (versions.includes(VERSION_NEUTRAL) && !isCustomList) {
    const isMediaList = versioning.type === VersioningType.MEDIA_TYPE && Array.isArray(version);
    return isMediaList ? { kind: 'media-type', parameter: undefined } : NO_VERSION;
  }
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
