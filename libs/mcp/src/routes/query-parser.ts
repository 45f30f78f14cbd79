import { parse } from 'node:querystring';
import { fastifyInternal } from '@fledge/core/packages';

/** Parses the text after the question mark, as the application does. */
export type QueryParser = (text: string) => unknown;

/** How a query parser reads brackets. With `objects`, `a[b]=c` is the object `a`. */
export type QueryReads = 'texts' | 'objects';

/**
 * The query parser of an application. Express has it in its settings. Fastify has it in internal
 * options; if they are not found, Fastify's default is used.
 * @param instance `httpAdapter.getInstance()`
 */
export function queryParserOf(instance: unknown): QueryParser {
  const { settings } = (instance ?? {}) as ExpressSettings;
  if (settings && 'query parser' in settings) return settings['query parser fn'] ?? (() => ({}));
  const options = fastifyInternal<FastifyOptions>(instance, 'fastify.options');
  return options?.routerOptions?.querystringParser ?? withoutObjects;
}

/** Tests whether a parser reads objects. */
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

interface FastifyOptions {
  readonly routerOptions?: { readonly querystringParser?: QueryParser };
}

/** Fastify's default: names and texts, without a limit. */
function withoutObjects(text: string): unknown {
  return parse(text, '&', '=', { maxKeys: 0 });
}
