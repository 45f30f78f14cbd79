import type { McpExtension } from '../../operations/extension.js';
import { ALWAYS_LOADED, rewriteCall, SEARCH_TOOLS } from './search-tool.js';
import { type ResolvedSearch, SEARCH_OPTION, type SearchOption } from './search-options.js';
import { searchTools } from './search-tools.js';
import { refuseUnknownPins, ToolSearch } from './tool-search.js';

/** A short list of tools for a large catalogue: `search_tools` finds the others, and `call_tool` runs them. */
export const search: McpExtension<SearchOption['search'], ResolvedSearch> = {
  name: 'search',
  option: SEARCH_OPTION.search,

  async create({ pinned: names, maxResults }, { tools, toolNames, place }) {
    refuseUnknownPins(names, toolNames, place);
    const pinned = new Set(names);
    const searched = tools.all.filter((tool) => !pinned.has(tool.name) && tool.forModels);
    return {
      tools: searchTools(await ToolSearch.over(searched, tools), maxResults, tools.all),
      unknownTool: `Find the names of tools with ${SEARCH_TOOLS}`,
      rewrite: rewriteCall,
      listed: ({ name }, entry) =>
        entry && pinned.has(name)
          ? { ...entry, _meta: { ...entry._meta, ...ALWAYS_LOADED } }
          : undefined,
    };
  },
};
