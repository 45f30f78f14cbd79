import type { KnownOptions } from '@fledge/core/packages';
import { bad, positive } from './bad-option.js';

// The option `search`, checked and with its defaults.

/** A short list of tools for a large catalogue, with a search over the others. */
export interface McpSearchOptions {
  /** Names of tools that stay in the list. @default none */
  readonly pinned?: readonly string[];
  /** Maximum number of tools in a result of `search_tools`. @default 10 */
  readonly maxResults?: number;
}

export const SEARCH: KnownOptions<McpSearchOptions> = { pinned: true, maxResults: true };

export interface ResolvedMcpSearch {
  readonly pinned: ReadonlySet<string>;
  readonly maxResults: number;
  /** Where the option is set: `search`, or `endpoints[0].search`. */
  readonly option: string;
}

/** @param place of the option in those of the module: empty, or `endpoints[0].` */
export function searchOf(
  given: boolean | McpSearchOptions = false,
  place = '',
): ResolvedMcpSearch | undefined {
  if (given === false) return undefined;
  const option = `${place}search`;
  const { pinned = [], maxResults = 10 } = given === true ? {} : given;
  if (!Array.isArray(pinned) || pinned.some((name) => typeof name !== 'string')) {
    throw bad(`${option}.pinned`, pinned, 'a list of tool names');
  }
  return {
    pinned: new Set(pinned),
    maxResults: positive(`${option}.maxResults`, maxResults),
    option,
  };
}
