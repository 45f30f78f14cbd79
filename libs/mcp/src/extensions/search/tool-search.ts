import { nearestTo, type Place } from '@fledge-internal/options';
import type { PublishedList } from '../../publish/catalogue/published-list.js';
import type { Tool } from '../../publish/catalogue/tool.js';
import type { McpRequest } from '../../options/auth-options.js';
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

/** A search over the tools that are not pinned. Fixed at startup. */
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

  /** Finds the tools that match and that the caller may see. */
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
 * @param place of the options
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
      `names "${unknown}", which is no tool there.${guess} app.get(McpAdapter).getTools() lists the names`,
    );
}
