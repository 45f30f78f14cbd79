import type { Route } from './route.js';
import type { ServedRoute } from './route-explorer.js';
import { HTTP_METHODS } from '../../options/option-rules.js';
import { isExcluded, uselessPatterns } from './exposure.js';
import type { ResolvedMcpOptions } from '../../mcp.defaults.js';

/**
 * HTTP methods of routes that are skipped without a message. HEAD responses have no content. Only
 * browsers use OPTIONS.
 */
const WITHOUT_TOOL = ['HEAD', 'OPTIONS'];

/**
 * Returns a message that lists the routes that auto mode omits because tool calls do not support
 * their HTTP method. An example is `@All()`. Returns undefined if there are none.
 */
export function otherMethodsText(
  served: readonly ServedRoute[],
  { exclude, globalPrefix }: { readonly exclude: readonly string[]; readonly globalPrefix: string },
): string | undefined {
  const labels = served
    .filter(({ verb, streams, paths: [path], unversionedPath }) => {
      if (streams !== undefined || path === undefined || WITHOUT_TOOL.includes(verb)) return false;
      return (
        !(HTTP_METHODS as readonly string[]).includes(verb) &&
        !isExcluded({ path, ...(unversionedPath && { unversionedPath }) }, exclude, globalPrefix)
      );
    })
    .map(({ controller, methodName, verb }) => `${controller.name}.${methodName} (${verb})`);
  if (labels.length === 0) return undefined;
  return (
    `These routes are not tools, because tools support only ${HTTP_METHODS.join(', ')}: ` +
    `${labels.join(', ')}. To publish a route as a tool, give it @Get(), @Post() or another ` +
    'supported method.'
  );
}

/** The routes that a pattern of `exclude` may match. */
interface Covered {
  readonly called: readonly Route[];
  readonly served: readonly ServedRoute[];
  readonly globalPrefix: string;
}

/**
 * Logs a warning for each pattern of `exclude` that matches no route. Such a pattern may be
 * misspelled, and the routes to exclude are then published. Also warns if the module's options have
 * no effect.
 */
export function warnOfPatterns(
  { mode, include, exclude, endpoints }: ResolvedMcpOptions,
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
      `${place}: no route matches ${useless.map((pattern) => `'${pattern}'`).join(', ')} in ` +
        '`exclude`. To list the paths of the published tools, call ' +
        'app.get(McpAdapter).getTools().',
    );
  };
  const ignored = [
    ...(include.length < HTTP_METHODS.length ? ['include'] : []),
    ...(exclude.length > 0 ? ['exclude'] : []),
  ];
  if (mode === 'auto') check('McpModule.forRoot({ exclude })', exclude);
  else if (ignored.length > 0) {
    warn(
      `McpModule.forRoot({ ${ignored.join(', ')} }) has no effect, because \`mode\` is 'explicit'. ` +
        `Set mode: 'auto', or move the option to an endpoint: endpoints: [{ path: '/_mcp/messages', ${ignored[0]}: [...] }].`,
    );
  }
  for (const { path, selection } of endpoints) check(`The endpoint ${path}`, selection.exclude);
}
