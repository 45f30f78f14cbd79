import { mediaTypeOf } from '@fledge/core/packages';
import type { RouteParameter } from './route.js';

/** Metadata key of `@ApiConsumes()` of @nestjs/swagger. */
const API_CONSUMES = 'swagger/apiConsumes';

/** The rules for request bodies in the decorators of a handler or class. */
export interface BodyRules {
  /** Media types of `@ApiConsumes`, without parameters. Empty if the decorator is missing. */
  readonly mediaTypes: readonly string[];
  /** Classes and instances of `@UseInterceptors`. */
  readonly interceptors: readonly unknown[];
}

/**
 * Returns the media types of `@ApiConsumes` on a handler or class, in lower case, without
 * parameters.
 */
export function consumedBy(target: Function): readonly string[] {
  const types = Reflect.getMetadata(API_CONSUMES, target) as readonly unknown[] | undefined;
  return (types ?? []).filter((type) => typeof type === 'string').map(mediaTypeOf);
}

/**
 * Returns the media type of a call's body: the first type of the route that is not for files, or
 * else JSON.
 */
export function sentMediaType(handler: BodyRules, controller: BodyRules): string {
  const types = handler.mediaTypes.length > 0 ? handler.mediaTypes : controller.mediaTypes;
  return types.find((type) => !isFileType(type)) ?? 'application/json';
}

/**
 * Returns the reason why a route needs a file. Tool arguments cannot contain files. Returns
 * undefined if the route needs no file. Decorators of the class count only if the route reads a
 * body. Other routes of the class accept no file.
 */
export function uploadOf(
  verb: string,
  parameters: readonly RouteParameter[],
  handler: BodyRules,
  controller: BodyRules,
): string | undefined {
  if (parameters.some(({ source }) => source === 'file')) return 'reads an uploaded file';
  const own = takesFiles(handler);
  const readsBody =
    verb !== 'GET' && parameters.some(({ source }) => source === 'body' || source === 'request');
  if (own !== undefined || !readsBody) return own;
  const { interceptors } = controller;
  return takesFiles({
    interceptors,
    mediaTypes: handler.mediaTypes.length > 0 ? [] : controller.mediaTypes,
  });
}

function takesFiles({ mediaTypes, interceptors }: BodyRules): string | undefined {
  const documentsOther = mediaTypes.some((type) => !isFileType(type));
  if (documentsOther) return undefined;
  if (interceptors.some(isFileInterceptor)) return 'reads its body with a file interceptor';
  return mediaTypes.length === 0 ? undefined : `reads its body as ${mediaTypes.join(' or ')}`;
}

function isFileType(mediaType: string): boolean {
  return /^(multipart|image|audio|video)\/|^application\/octet-stream$/.test(mediaType);
}

/** Metadata key under which Nest stores the `@Inject()` parameters of a class. */
const INJECTED = 'self:paramtypes';

/** Injection token of the multer options that Nest's file interceptors use. */
const MULTER_OPTIONS = 'MULTER_MODULE_OPTIONS';

/**
 * Returns true for Nest's interceptors that run multer. Nest creates an anonymous class for each
 * use of such an interceptor.
 */
function isFileInterceptor(interceptor: unknown): boolean {
  const type: unknown =
    typeof interceptor === 'object' && interceptor !== null ? interceptor.constructor : interceptor;
  if (typeof type !== 'function') return false;
  const injected = Reflect.getMetadata(INJECTED, type) as { param?: unknown }[] | undefined;
  return (injected ?? []).some(({ param }) => param === MULTER_OPTIONS);
}
