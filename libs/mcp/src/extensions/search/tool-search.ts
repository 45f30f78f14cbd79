import { nearestTo, type Place } from '@fledge-internal/options';
import type { PublishedList } from '../../publish/catalogue/published-list.js';
import type { Tool } from '../../publish/catalogue/tool.js';
import type { McpRequest } from '../../options/auth-options.js';
import { ToolIndex } from './tool-index.js';

/** A search for tools. */
export interface ToolQuery {
  /** Words to search for. Empty: every tool, in the order of the routes. */
  readonly query: string;
  readonly limit: number;
  /** Number of tools to skip. */
  readonly offset: number;
}

/** The tools found by a search. */
export interface FoundTools {
  readonly tools: readonly Tool[];
  /** True if more tools match. */
  readonly hasMore: boolean;
}

/** Searches the tools that are not pinned. The set of tools is fixed at startup. */
export class ToolSearch {
  private constructor(
    private readonly searched: readonly Tool[],
    private readonly published: PublishedList<Tool>,
    private readonly index: ToolIndex,
  ) {}

  /** @param published decides which tools a caller may see */
  static async over(
    searched: readonly Tool[],
    published: PublishedList<Tool>,
  ): Promise<ToolSearch> {
    return new ToolSearch(searched, published, await ToolIndex.of(searched));
  }

  /** Finds the matching tools that the caller may see. */
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

/**
 * @param place path of the option
 * @throws McpOptionError if a pinned tool does not exist
 */
export function refuseUnknownPins(
  pinned: readonly string[],
  names: readonly string[],
  place: Place,
): void {
  const unknown = pinned.find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const nearest = nearestTo(unknown, names);
  const guess = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
  throw place
    .at('pinned')
    .error(
      `contains "${unknown}", which is not a tool of the endpoint.${guess} ` +
        'app.get(McpAdapter).getTools() lists the tool names',
    );
}
