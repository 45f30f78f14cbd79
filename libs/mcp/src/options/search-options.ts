import {
  count,
  feature,
  kind,
  type OptionTable,
  type ReadOptions,
  rule,
} from '@fledge-internal/options';

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

export interface ResolvedMcpSearch extends ReadOptions<typeof SEARCH> {
  /** Where the option is set: `search`, or `endpoints[0].search`. */
  readonly option: string;
}

const searchFeature = feature<McpSearchOptions, typeof SEARCH>(SEARCH);

export const search = rule<boolean | McpSearchOptions | undefined, ResolvedMcpSearch | undefined>(
  (given, place) => {
    const read = searchFeature.read(given, place);
    return read && { ...read, option: place.path };
  },
);
