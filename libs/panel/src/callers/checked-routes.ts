import type { PanelSources, RouteHandlers } from '@fledge/core/packages';

/** Metadata keys of Nest. The second marks event streams, which never end. */
const PATH = 'path';
const EVENT_STREAM = '__sse__';

/**
 * Returns the paths of the GET routes without required parameters. Routes of tools and list
 * endpoints come first, because applications usually protect these routes.
 */
export function checkedRoutes(handlers: RouteHandlers, sources: PanelSources): readonly string[] {
  const streams = new Set(handlers.with(EVENT_STREAM).map(({ label }) => label));
  const paths = new Set(
    handlers
      .with(PATH)
      .filter(({ verb, path, label }) => isFixedGet({ verb, path }) && !streams.has(label))
      .map(({ path }) => path),
  );
  const tools = sources.get('mcp')?.catalogue().tools ?? [];
  const lists = sources.get('query')?.routes() ?? [];
  const first = [...tools, ...lists].filter(isFixedGet).map(({ path }) => path);
  return [...new Set([...first.filter((path) => paths.has(path)), ...paths])];
}

function isFixedGet({ verb, path }: { readonly verb: string; readonly path: string }): boolean {
  return verb === 'GET' && !/[:*{}]/.test(path);
}
