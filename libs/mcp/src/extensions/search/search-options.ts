import { count, feature, kind, type OptionTable, type ReadOptions } from '@fledge-internal/options';

/** The option of the module and of each endpoint. */
export interface SearchOption {
  /**
   * Lists three tools in place of many: `search_tools` finds tools, `read_tool` runs those that are read-only, and
   * `call_tool` the others. Tools that are not
   * listed can still be called by their names. An endpoint without this option has that of the module; `false`
   * lists every tool.
   * @default false
   */
  readonly search?: boolean | McpSearchOptions;
}

/** A short list of tools for a large catalogue, with a search over the others. */
export interface McpSearchOptions {
  /** Names of tools that stay in the list. @default none */
  readonly pinned?: readonly string[];
  /** Maximum number of tools in a result of `search_tools`. @default 10 */
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
