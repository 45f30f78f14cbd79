import { nearestTo } from '@fledge-internal/options';
import type { ListForm, PublishedList } from '../catalogue/published-list.js';
import { listedTool, type Tool } from '../catalogue/tool.js';
import { isForPagesOnly } from '../catalogue/tool-ui.js';
import { McpOptionError } from '../mcp.errors.js';
import type { McpRequest } from '../options/auth-options.js';
import type { ResolvedMcpSearch } from '../options/search-options.js';
import {
  ALWAYS_LOADED,
  callToolDefinition,
  isSearchTool,
  type SearchToolDefinition,
  searchToolsDefinition,
} from './search-tool.js';
import { ToolIndex } from './tool-index.js';

/** Which tools a search asks for. */
export interface ToolQuery {
  /** Empty: every tool, in the order of the routes. */
  readonly query: string;
  readonly limit: number;
  /** Number of tools to skip. */
  readonly offset: number;
}

/** The tools that a search found. */
export interface FoundTools {
  readonly tools: readonly Tool[];
  /** True if more tools match. */
  readonly hasMore: boolean;
}

/** A short list of tools, and a search over the others. Fixed at boot. */
export class ToolSearch {
  private constructor(
    /** What `tools/list` returns: the pinned tools, `search_tools` and `call_tool`. */
    readonly list: PublishedList<Tool>,
    /** `search_tools` and `call_tool`. */
    readonly definitions: readonly [search: SearchToolDefinition, call: SearchToolDefinition],
    readonly maxResults: number,
    private readonly published: PublishedList<Tool>,
    private readonly searched: readonly Tool[],
    private readonly index: ToolIndex,
  ) {}

  /**
   * Builds the search over the tools of an endpoint.
   * @param known names that may be pinned: a search of several endpoints may pin what one of them has
   * @throws McpOptionError if a pinned tool does not exist, or a tool has the name of one that search adds
   */
  static async over(
    published: PublishedList<Tool>,
    { pinned, maxResults, option }: ResolvedMcpSearch,
    known: readonly string[] = published.all.map(({ name }) => name),
  ): Promise<ToolSearch> {
    const tools = published.all;
    refuseClash(tools, option);
    refuseUnknownPins(pinned, known, option);
    const isPinned = ({ name }: Tool) => pinned.includes(name);
    const definitions = [searchToolsDefinition(maxResults), callToolDefinition(tools)] as const;
    const searched = tools.filter((tool) => !isPinned(tool) && !isForPagesOnly(tool));
    return new ToolSearch(
      published.part(
        tools.filter((tool) => isPinned(tool) || tool.ui),
        (tool, form) => (isPinned(tool) ? listedAlways(tool, form) : listedForPages(tool, form)),
        definitions,
      ),
      definitions,
      maxResults,
      published,
      searched,
      await ToolIndex.of(searched),
    );
  }

  /** Finds the tools that match and that the caller may see. Pinned tools are left out. */
  async find({ query, limit, offset }: ToolQuery, request: McpRequest): Promise<FoundTools> {
    const matching = query.trim() === '' ? this.searched : this.index.ranked(query);
    const isSeen = await Promise.all(
      matching.map((tool) => this.published.isVisible(tool, request)),
    );
    const seen = matching.filter((_, i) => isSeen[i]);
    const end = offset + limit;
    return { tools: seen.slice(offset, end), hasMore: seen.length > end };
  }
}

function listedAlways(tool: Tool, form: ListForm): object | undefined {
  const listed: { _meta?: object } | undefined = listedTool(tool, form);
  return listed && { ...listed, _meta: { ...listed._meta, ...ALWAYS_LOADED._meta } };
}

/** A client finds the page of a tool in the list, and a page the tools that are for pages only. */
function listedForPages(tool: Tool, form: ListForm): object | undefined {
  return form.pages ? listedTool(tool, form) : undefined;
}

function refuseClash(tools: readonly Tool[], option: string): void {
  const clash = tools.find(({ name }) => isSearchTool(name));
  if (!clash) return;
  throw new McpOptionError(
    `McpModule.forRoot({ ${option} }) adds a tool "${clash.name}", and ${clash.route.label} has that name. ` +
      "Give it another one: @McpTool({ name: '...' }).",
  );
}

function refuseUnknownPins(
  pinned: readonly string[],
  names: readonly string[],
  option: string,
): void {
  const unknown = pinned.find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const nearest = nearestTo(unknown, names);
  const guess = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
  throw new McpOptionError(
    `McpModule.forRoot({ ${option}.pinned }) names "${unknown}", which is no tool there.${guess} ` +
      'app.get(McpAdapter).getTools() lists the names.',
  );
}
