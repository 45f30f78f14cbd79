import { isDeepStrictEqual } from 'node:util';
import { isNestCallback } from './nest-routes.js';
import { pathFillerOf } from './path-parameters.js';
import { isSameMethod, type Route } from './route.js';
import type { ServedRoute } from './route-explorer.js';
import type { EndpointOptions } from '../../mcp.defaults.js';
import { McpOptionError } from '../../mcp.errors.js';

/**
 * Finds published routes that never receive a request, because an earlier route matches all of
 * their URLs. Only Express tries routes in order: Fastify prefers the more specific route, and
 * rejects two equal routes.
 * @param instance the platform's application: `httpAdapter.getInstance()`
 * @param served every route, in the order of registration
 * @returns a warning for each route
 */
export function shadowedRoutes(
  published: readonly Route[],
  instance: unknown,
  served: readonly ServedRoute[],
): string[] {
  const { router } = (instance ?? {}) as Partial<ExpressApplication>;
  const layers = (router?.stack ?? []).filter(isNestLayer);
  const byPath = groupByPath(served);
  const candidates = new Map<string, Candidate[]>();
  return [...new Set(published)].flatMap((route) => {
    const own = byPath.get(route.path)?.find((each) => isSameMethod(each, route));
    if (own === undefined) return [];
    let tried = candidates.get(own.verb);
    if (!tried) candidates.set(own.verb, (tried = candidatesFor(own.verb, layers, served)));
    const receiver = receiverOf(route, own, tried);
    return receiver === undefined || receiver === own ? [] : [warningOf(route, receiver)];
  });
}

/**
 * Call this before the endpoints are mounted.
 * @throws McpOptionError if a route has the path of an endpoint. The endpoint is mounted first, so
 * the route could not be called
 */
export function refuseHiddenRoutes(
  served: readonly ServedRoute[],
  endpoints: readonly Pick<EndpointOptions, 'path'>[],
): void {
  for (const { path } of endpoints) {
    const hidden = served.find(({ paths }) =>
      paths.some((each) => each.toLowerCase() === path.toLowerCase()),
    );
    if (!hidden) continue;
    throw new McpOptionError(
      `The MCP endpoint ${path} has the same path as the route ${labelOf(hidden)}, so the route ` +
        'could not be called. Give the endpoint another path: ' +
        `McpModule.forRoot({ endpoints: [{ path: '/mcp/tools' }] }).`,
    );
  }
}

function labelOf({ controller, methodName }: ServedRoute): string {
  return `${controller.name}.${methodName}`;
}

/**
 * The parts of Express that are used here. Not imported, because this package does not depend on
 * Express.
 */
interface ExpressApplication {
  readonly router: { readonly stack: readonly (RouteLayer | { readonly route?: undefined })[] };
}

interface RouteLayer {
  readonly route: {
    readonly path: string;
    readonly methods: Readonly<Record<string, boolean | undefined>>;
    readonly stack: readonly { readonly handle: Function }[];
  };
  match(path: string): boolean;
}

/** Handlers of `app.get()` are ignored, because they may call `next()`. */
function isNestLayer(layer: ExpressApplication['router']['stack'][number]): layer is RouteLayer {
  return layer.route?.stack.some(({ handle }) => isNestCallback(handle)) ?? false;
}

/** A route that Express tries. */
interface Candidate {
  readonly layer: RouteLayer;
  /**
   * The path before its first parameter, in lower case. It is compared first, because `match()` is
   * slower.
   */
  readonly prefix: string;
  readonly route: ServedRoute | undefined;
}

/** Returns the routes that Express tries for an HTTP method, in the order of registration. */
function candidatesFor(
  verb: ServedRoute['verb'],
  layers: readonly RouteLayer[],
  served: readonly ServedRoute[],
): Candidate[] {
  const byPath = groupByPath(served.filter((each) => each.verb === verb || each.verb === 'ALL'));
  return layers
    .filter(({ route: { methods } }) => methods[verb.toLowerCase()])
    .map((layer) => {
      const { path } = layer.route;
      const [prefix = ''] = path.split(/\/*(?:[:*{\\]|$)/, 1);
      // Routes with the same path are registered in the order of `served`.
      return { layer, prefix: prefix.toLowerCase(), route: byPath.get(path)?.shift() };
    });
}

function groupByPath(served: readonly ServedRoute[]): Map<string, ServedRoute[]> {
  const groups = new Map<string, ServedRoute[]>();
  for (const route of served) {
    for (const path of route.paths) {
      const group = groups.get(path);
      if (group) group.push(route);
      else groups.set(path, [route]);
    }
  }
  return groups;
}

/**
 * Returns the route that receives the requests for `own`. Returns `own` itself if at least one URL
 * reaches it.
 */
function receiverOf(
  route: Route,
  own: ServedRoute,
  candidates: readonly Candidate[],
): ServedRoute | undefined {
  let receiver: ServedRoute | undefined;
  for (const url of samplesOf(route)) {
    const first = firstFor(url, own, candidates);
    if (first === own) return own;
    receiver ??= first;
  }
  return receiver;
}

/** Returns URLs with different parameter values, with and without the optional parts. */
function samplesOf({ path, pathParameters }: Route): string[] {
  const urlOf = pathFillerOf(path);
  return ['q7', 'zk'].flatMap((value) => {
    const all = pathParameters.map(({ name, kind, optional }) => ({
      optional,
      entry: [name, kind === 'wildcard' ? `${value}/${value}` : value] as const,
    }));
    return [all, all.filter(({ optional }) => !optional)].map((parameters) =>
      urlOf(Object.fromEntries(parameters.map(({ entry }) => entry))),
    );
  });
}

/** Returns the first Express route that accepts a URL and the requests for `own`. */
function firstFor(
  url: string,
  own: ServedRoute,
  candidates: readonly Candidate[],
): ServedRoute | undefined {
  const low = url.toLowerCase();
  return candidates.find(
    ({ layer, prefix, route }) =>
      low.startsWith(prefix) &&
      layer.match(url) &&
      (route === own || (route && acceptsRequestsOf(route, own))),
  )?.route;
}

/** Returns true if the route accepts every host and version of the other route. */
function acceptsRequestsOf({ host, version }: ServedRoute, own: ServedRoute): boolean {
  return (
    (host === undefined || isDeepStrictEqual(host, own.host)) &&
    (version.kind === 'none' || isDeepStrictEqual(version, own.version))
  );
}

function warningOf({ label, verb, path }: Route, earlier: ServedRoute): string {
  const receiver = labelOf(earlier);
  return (
    `${label} is published, but ${receiver} (${earlier.paths.join(', ')}) is registered earlier and ` +
    `receives every request to ${verb} ${path}, so each tool call fails. Move ${label} before ` +
    `${receiver}, or give ${label} another path.`
  );
}
