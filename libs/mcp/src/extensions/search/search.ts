import type { McpExtension } from '../../serve/methods/extension.js';
import {
  ALWAYS_LOADED,
  FIND_NAMES,
  refuseSearchNames,
  rewriteCall,
  runnerOf,
} from './search-tool.js';
import { type ResolvedSearch, SEARCH_OPTION, type SearchOption } from './search-options.js';
import { searchTools } from './search-tools.js';
import { refuseUnknownPins, ToolSearch } from './tool-search.js';

/**
 * Shortens the tool list of a large catalogue. `search_tools` finds the tools that are not in the
 * list. `read_tool` and `call_tool` call them.
 */
export const search: McpExtension<SearchOption['search'], ResolvedSearch> = {
  name: 'search',
  option: SEARCH_OPTION.search,

  async create({ pinned: names, maxResults }, { tools, toolNames, place }) {
    refuseUnknownPins(names, toolNames, place);
    refuseSearchNames(tools.all, place);
    const pinned = new Set(names);
    const runners = new Map(tools.all.map((tool) => [tool.name, runnerOf(tool)]));
    const searched = tools.all.filter((tool) => !pinned.has(tool.name) && tool.forModels);
    return {
      tools: searchTools(
        await ToolSearch.over(searched, tools),
        maxResults,
        tools.all,
        (name, caller) => tools.find(name, caller.request),
      ),
      unknownTool: FIND_NAMES,
      rewrite: (request, headers) => rewriteCall(request, headers, (name) => runners.get(name)),
      listed: ({ name }, entry) =>
        entry && pinned.has(name)
          ? { ...entry, _meta: { ...entry._meta, ...ALWAYS_LOADED } }
          : undefined,
    };
  },
};
