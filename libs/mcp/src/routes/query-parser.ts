import { parse } from 'node:querystring';

/** Reads the text behind the question mark as the application does. */
export type QueryParser = (text: string) => unknown;

/** What a query parser makes of brackets: with `objects`, `a[b]=c` is the object `a`. */
export type QueryReads = 'texts' | 'objects';

/**
 * The query parser of an application, `httpAdapter.getInstance()`. Express keeps it in its settings.
 * Fastify keeps it in options it does not publish; where they are not found, its default is taken.
 */
export function queryParserOf(instance: unknown): QueryParser {
  const { settings } = (instance ?? {}) as ExpressSettings;
  if (settings && 'query parser' in settings) return settings['query parser fn'] ?? (() => ({}));
  const key = Object.getOwnPropertySymbols(instance ?? {}).find(
    ({ description }) => description === 'fastify.options',
  );
  const options = key && (instance as Record<symbol, FastifyOptions | undefined>)[key];
  return options?.routerOptions?.querystringParser ?? withoutObjects;
}

/** Whether a parser reads objects, found by trying it. */
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
