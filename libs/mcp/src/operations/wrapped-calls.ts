import type { Tool } from '../catalogue/tool.js';
import type { AroundCall, NamedExtension } from './extension.js';

/** The wraps of the tools for which extensions have some. */
export function wrapCalls(
  tools: readonly Tool[],
  extensions: readonly NamedExtension[],
): ReadonlyMap<Tool, AroundCall> {
  const wrapped = new Map<Tool, AroundCall>();
  for (const tool of tools) {
    const { extended } = tool;
    if (extended === undefined) continue;
    const arounds = extensions.flatMap(({ name, around }) =>
      around && extended.has(name) ? around(tool, extended.get(name)) : [],
    );
    if (arounds.length > 0) wrapped.set(tool, nest(arounds));
  }
  return wrapped;
}

/** Joins wraps into one, of which the first is the outermost. */
function nest(arounds: readonly AroundCall[]): AroundCall {
  return (call, next) =>
    arounds.reduceRight<typeof next>(
      (inner, around) => (changed) => around(changed, inner),
      next,
    )(call);
}
