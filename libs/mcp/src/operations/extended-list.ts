import type { ListEntry, ListForm, PublishedList } from '../catalogue/published-list.js';
import { listedTool, type Tool } from '../catalogue/tool.js';
import type { EndpointExtension } from './extension.js';

/** The list of `tools/list`: the tools of routes as extensions show them, then the tools of extensions. */
export function extendList(
  published: PublishedList<Tool>,
  extensions: readonly EndpointExtension[],
): PublishedList<Tool> {
  const listing = extensions.flatMap(({ listed }) => listed ?? []);
  const added = extensions.flatMap(({ tools = [] }) => tools.map(({ definition }) => definition));
  if (listing.length === 0 && added.length === 0) return published;
  const entryOf = (tool: Tool, form: ListForm) =>
    listing.reduceRight<ListEntry | undefined>(
      (entry, listed) => listed(tool, entry, form),
      listedTool(tool, form),
    );
  return published.changed(entryOf, added);
}
