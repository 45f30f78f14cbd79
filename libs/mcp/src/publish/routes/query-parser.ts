import { parse } from 'node:querystring';

/**
 * Parses a query string in the same way as the application. The query string has no question mark.
 */
export type QueryParser = (text: string) => unknown;

/**
 * The way in which a query string parser reads brackets. With `objects`, `a[b]=c` is the object
 * `a`.
 */
export type QueryReads = 'texts' | 'objects';

/**
 * Returns the query string parser in the settings of an Express application. Returns Fastify's
 * default for any other application.
 * @param instance `httpAdapter.getInstance()`
 */
export function queryParserOf(instance: unknown): QueryParser {
  const { settings } = (instance ?? {}) as ExpressSettings;
  if (settings && 'query parser' in settings) return settings['query parser fn'] ?? (() => ({}));
  return withoutObjects;
}

/**
 * Returns the query string parser of a Fastify application. Fastify parses a query string only if
 * the URL matches a route. So this function uses a route without parameters. Until such a route is
 * registered, the function uses Fastify's default parser. Call it before routes are registered.
 */
export function fastifyQueryParser(fastify: FastifyApplication): QueryParser {
  let route: { readonly method: string; readonly url: string } | undefined;
  fastify.addHook('onRoute', ({ method, url, constraints }) => {
    const isPlain = /^[\w/.~-]+$/.test(url) && Object.keys(constraints ?? {}).length === 0;
    if (isPlain) route ??= { method: [method].flat()[0] as string, url };
  });
  return (text) => {
    const found = route && fastify.findRoute({ ...route, url: `${route.url}?${text}` });
    return found ? found.searchParams : withoutObjects(text);
  };
}

/** Tests whether a parser supports objects. */
export function queryReads(parser: QueryParser): QueryReads {
  try {
    const { a } = parser('a[b]=c') as { a?: { b?: unknown } };
    return a?.b === 'c' ? 'objects' : 'texts';
  } catch {
    return 'texts';
  }
}

interface ExpressSettings {
  readonly settings?: { readonly 'query parser fn'?: QueryParser };
}

/**
 * The parts of Fastify that are used here. Not imported, because this package does not depend on
 * Fastify.
 */
export interface FastifyApplication {
  addHook(name: 'onRoute', hook: (route: FastifyRoute) => void): void;
  findRoute(route: { method: string; url: string }): { readonly searchParams: unknown } | null;
}

interface FastifyRoute {
  readonly method: string | readonly string[];
  readonly url: string;
  readonly constraints?: object;
}

/** Fastify's default parser. It supports only names and strings, and has no limits. */
function withoutObjects(text: string): unknown {
  return parse(text, '&', '=', { maxKeys: 0 });
}
