import { getMcpToolMeta } from '../decorators/mcp-tool.decorator.js';
import type { HttpMethod } from '../../mcp.definitions.js';
import type { McpExposureMode } from '../../mcp.options.js';
import type { Route } from './route.js';
import { getMcpPromptMeta } from '../decorators/mcp-prompt.decorator.js';
import { getMcpResourceMeta } from '../decorators/mcp-resource.decorator.js';

export interface ExposureRules {
  readonly mode: McpExposureMode;
  readonly include: readonly HttpMethod[];
  readonly exclude: readonly string[];
  /** Starts with a slash, or is empty. */
  readonly globalPrefix: string;
}

/**
 * Returns true if a route becomes a tool. The option `hidden` has precedence. In explicit mode, the
 * route needs `@McpTool`. In auto mode, `include`, `exclude` and the exclusions of
 * `@nestjs/swagger` decide.
 */
export function isExposed(route: Route, rules: ExposureRules): boolean {
  const tool = getMcpToolMeta(route.handler);
  if (tool?.hidden) return false;
  if (rules.mode === 'explicit') return tool !== undefined;
  return isCovered(route, rules) && !isHiddenBySwagger(route);
}

/**
 * Returns true if auto mode omits a route only because `@nestjs/swagger` excludes the route from
 * the API documentation. Such a route can still be published with `@McpTool`.
 */
export function isLeftOut(route: Route, rules: ExposureRules): boolean {
  return rules.mode === 'auto' && isCovered(route, rules) && isHiddenBySwagger(route);
}

function isCovered(route: Route, { include, exclude, globalPrefix }: ExposureRules): boolean {
  return include.includes(route.verb) && !isExcluded(route, exclude, globalPrefix);
}

function isHiddenBySwagger(route: Route): boolean {
  return getMcpToolMeta(route.handler) === undefined && isLeftOutOfSwagger(route);
}

type RoutePaths = Pick<Route, 'path' | 'unversionedPath'>;

/**
 * Returns true if a pattern matches the path of a route. The pattern may omit the global prefix and
 * the URI version.
 */
export function isExcluded(
  { path, unversionedPath = path }: RoutePaths,
  exclude: readonly string[],
  globalPrefix: string,
): boolean {
  return exclude.some(
    (pattern) =>
      isBelow(path, pattern, globalPrefix) || isBelow(unversionedPath, pattern, globalPrefix),
  );
}

/**
 * Returns the patterns that match no route. Such a pattern may be misspelled, and the routes to
 * exclude are then published.
 */
export function uselessPatterns(
  exclude: readonly string[],
  routes: readonly RoutePaths[],
  globalPrefix: string,
): readonly string[] {
  return exclude.filter(
    (pattern) => !routes.some((route) => isExcluded(route, [pattern], globalPrefix)),
  );
}

/** Returns true if a pattern (`/admin`, `/admin/*`) matches a path. Compares whole segments. */
function isBelow(path: string, pattern: string, globalPrefix: string): boolean {
  const wanted = segmentsOf(pattern.replace(/\/\*+$/, ''));
  const bare =
    globalPrefix !== '' && `${path}/`.startsWith(`${globalPrefix}/`)
      ? path.slice(globalPrefix.length)
      : path;
  return [path, bare].some((candidate) => {
    const segments = segmentsOf(candidate);
    return wanted.every((segment, i) => segments[i] !== undefined && matches(segments[i], segment));
  });
}

function matches(segment: string, wanted: string): boolean {
  return wanted === '*' || segment === wanted;
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '');
}

/** Returns the name of the decorator that publishes a method, or undefined if there is none. */
export function publishedBy(method: Function): string | undefined {
  const tool = getMcpToolMeta(method);
  if (tool && !tool.hidden) return '@McpTool';
  if (getMcpResourceMeta(method)) return '@McpResource';
  return getMcpPromptMeta(method) ? '@McpPrompt' : undefined;
}

/** Metadata keys of @nestjs/swagger. Copied here, because the package is optional. */
const EXCLUDED_ENDPOINT = 'swagger/apiExcludeEndpoint';
const EXCLUDED_CONTROLLER = 'swagger/apiExcludeController';

/**
 * Returns true if `@ApiExcludeEndpoint` or `@ApiExcludeController` excludes a route from the API
 * documentation.
 */
function isLeftOutOfSwagger({ controller, handler }: Route): boolean {
  const endpoint = Reflect.getMetadata(EXCLUDED_ENDPOINT, handler) as { disable?: unknown } | null;
  const excluded: unknown = Reflect.getMetadata(EXCLUDED_CONTROLLER, controller);
  return endpoint?.disable === true || (Array.isArray(excluded) && excluded[0] === true);
}
