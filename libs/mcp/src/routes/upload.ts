import type { RouteParameter } from './route.js';

/** Where @nestjs/swagger keeps what `@ApiConsumes()` was given. */
const API_CONSUMES = 'swagger/apiConsumes';

/** What one decorated target, a handler or its class, says about the bodies it takes. */
export interface BodyRules {
  /** Media types of `@ApiConsumes`, without parameters; empty where it is missing. */
  readonly mediaTypes: readonly string[];
  /** Classes and instances of `@UseInterceptors`. */
  readonly interceptors: readonly unknown[];
}

/** Media types of `@ApiConsumes` on a handler or a class, in lower case, without parameters. */
export function consumedBy(target: Function): readonly string[] {
  const types = Reflect.getMetadata(API_CONSUMES, target) as readonly unknown[] | undefined;
  return (types ?? [])
    .filter((type) => typeof type === 'string')
    .map((type) => (type.split(';')[0] as string).trim().toLowerCase());
}

/** The media type a call sends its body in: the first of the route's that can be written, else JSON. */
export function sentMediaType(handler: BodyRules, controller: BodyRules): string {
  const types = handler.mediaTypes.length > 0 ? handler.mediaTypes : controller.mediaTypes;
  return types.find((type) => !isFileType(type)) ?? 'application/json';
}

/**
 * Why a route needs a file, which no tool argument carries; undefined where it does not. What the
 * class says counts for routes that read a body: its other routes take no file.
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
  if (interceptors.some(isFileInterceptor)) return 'takes its body through a file interceptor';
  if (mediaTypes.length === 0 || !mediaTypes.every(isFileType)) return undefined;
  return `takes its body as ${mediaTypes.join(' or ')}`;
}

function isFileType(mediaType: string): boolean {
  return /^(multipart|image|audio|video)\/|^application\/octet-stream$/.test(mediaType);
}

/**
 * File interceptors of Nest and of its community are classes made on the spot, without a name or a
 * mark. They have in common that they run multer or a multipart parser. `NoFilesInterceptor` runs
 * multer too, but refuses files.
 */
function isFileInterceptor(interceptor: unknown): boolean {
  let type: unknown = interceptor;
  if (typeof type === 'object' && type !== null) type = type.constructor;
  for (; typeof type === 'function' && type !== Function.prototype;) {
    const source = Function.prototype.toString.call(type);
    if (/multer|multipart|busboy/i.test(source)) return !/multer\.none\(/.test(source);
    type = Object.getPrototypeOf(type);
  }
  return false;
}
