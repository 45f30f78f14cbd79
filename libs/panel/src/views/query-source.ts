import type { Container } from '@fledge/core';
import {
  type PanelQueryAnswer,
  type PanelQueryRoute,
  type PanelSourceOf,
  type RouteHandler,
  RouteHandlers,
} from '@fledge/core/packages';
import { HttpAdapterHost } from '@nestjs/core';
import { parse as parseQuerystring } from 'node:querystring';

// @fledge/query works without core, so it cannot register a source. Instead, it stores a
// description on each handler.
const DESCRIPTION = Symbol.for('fledge:panel-list-route');
const QUERY_OPTIONS = Symbol.for('fledge:QUERY_OPTIONS');

type Describe = (options: unknown) => Description;

interface Description extends Omit<PanelQueryRoute, 'key' | 'verb' | 'path' | 'handler'> {
  readonly parse: (query: unknown) => PanelQueryAnswer;
}

/** Returns the routes with `@Qs()`. Returns undefined if there are none. */
export function querySourceOf(container: Container): PanelSourceOf['query'] | undefined {
  const handlers = container.get(RouteHandlers).with<Describe>(DESCRIPTION);
  if (handlers.length === 0) return undefined;
  const options = optionsOf(container);
  const decode = decoderOf(container);
  const described = new Map(
    handlers.map((handler) => [keyOf(handler), { handler, ...handler.value(options) }]),
  );
  return {
    routes: () =>
      [...described].map(([key, { handler, parse: _, ...facts }]) => ({
        key,
        verb: handler.verb,
        path: handler.path,
        handler: handler.label,
        ...facts,
      })),
    parse: (key, query) => described.get(key)?.parse(decode(query)),
  };
}

/** Contains the handler, because versions in headers may have the same path. */
function keyOf({ verb, path, label }: RouteHandler<Describe>): string {
  return `${verb} ${path} ${label}`;
}

/**
 * Returns the options of `QueryModule`. Returns undefined if the application does not import it.
 */
function optionsOf(container: Container): unknown {
  try {
    return container.get(QUERY_OPTIONS);
  } catch {
    return undefined;
  }
}

/**
 * Returns the function that decodes query strings. On Express, this is the configured parser.
 * Otherwise, it is the default parser of Express and Fastify.
 */
function decoderOf(container: Container): (query: string) => unknown {
  const { httpAdapter } = container.get(HttpAdapterHost);
  if (httpAdapter.getType() !== 'express') return parseQuerystring;
  const decode = httpAdapter.getInstance<{ get(name: string): unknown }>().get('query parser fn');
  return typeof decode === 'function' ? (decode as (query: string) => unknown) : parseQuerystring;
}
