import { HTTP_METHODS } from '../options/option-rules.js';
import { isExcluded } from './exposure.js';
import type { ServedRoute } from './route-explorer.js';

/** Without content or for browsers. Nobody misses a tool for them. */
const WITHOUT_TOOL = ['HEAD', 'OPTIONS'];

/**
 * Says which routes auto mode leaves out because a tool call has no such HTTP method, such as those of `@All()`.
 * Undefined if there are none.
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
    `These routes are no tools, because a tool call needs one of ${HTTP_METHODS.join(', ')}: ${labels.join(', ')}. ` +
    'Put @Get(), @Post() or another of them on a method that should be a tool.'
  );
}
