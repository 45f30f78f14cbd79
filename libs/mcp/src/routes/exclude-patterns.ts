import type { ResolvedMcpOptions } from '../mcp.defaults.js';
import { uselessPatterns } from './exposure.js';
import type { Route } from './route.js';
import type { ServedRoute } from './route-explorer.js';

/** What patterns may cover: what is called, and every route of the application. */
interface Covered {
  readonly called: readonly Route[];
  readonly served: readonly ServedRoute[];
  readonly globalPrefix: string;
}

/** Warns of each pattern of `exclude` that covers no route: what it was written for may be published. */
export function warnOfPatterns(
  { mode, exclude, endpoints }: ResolvedMcpOptions,
  { called, served, globalPrefix }: Covered,
  warn: (warning: string) => void,
): void {
  const routes = [
    ...called,
    ...served.flatMap(({ paths, unversionedPath }) =>
      paths.map((path) => ({ path, ...(unversionedPath !== undefined && { unversionedPath }) })),
    ),
  ];
  const check = (place: string, patterns: readonly string[]) => {
    const useless = uselessPatterns(patterns, routes, globalPrefix);
    if (useless.length === 0) return;
    warn(
      `${place}: ${useless.map((pattern) => `'${pattern}'`).join(', ')} in exclude covers no route, so it keeps ` +
        'nothing back. app.get(McpAdapter).getTools() lists the paths of what is published.',
    );
  };
  // In explicit mode, exclude of the module has no effect.
  if (mode === 'auto') check('McpModule.forRoot({ exclude })', exclude);
  for (const { path, selection } of endpoints) check(`The endpoint ${path}`, selection.exclude);
}
