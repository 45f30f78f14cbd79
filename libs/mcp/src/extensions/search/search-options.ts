import { count, feature, kind, type OptionTable, type ReadOptions } from '@fledge-internal/options';

/** Option of the module and of each endpoint for tool search. */
export interface SearchOption {
  /**
   * Lists three tools instead of many: `search_tools` finds tools, `read_tool` calls read-only
   * tools, and `call_tool` calls all other tools. Tools that are not listed can still be called by
   * name. An endpoint without this option uses the module's option. With `false`, every tool is
   * listed.
   * @default `false`; at an endpoint, the module's option
   */
  readonly search?: boolean | McpSearchOptions;
}

/** Options of tool search. Tool search shortens the tool list of a large catalogue. */
export interface McpSearchOptions {
  /** Names of tools that stay in the list. @default none */
  readonly pinned?: readonly string[];
  /** Maximum number of tools in one result of `search_tools`. @default 10 */
  readonly maxResults?: number;
}

const SEARCH = {
  pinned: kind<readonly string[]>(
    'a list of tool names',
    (value) => Array.isArray(value) && value.every((name) => typeof name === 'string'),
  ).default([]),
  maxResults: count.default(10),
} satisfies OptionTable<McpSearchOptions>;

export type ResolvedSearch = ReadOptions<typeof SEARCH>;

export const SEARCH_OPTION = { search: feature(SEARCH) } satisfies OptionTable<SearchOption>;
