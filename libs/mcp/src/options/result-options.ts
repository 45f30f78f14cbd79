import type { KnownOptions } from '@fledge/core/packages';
import { bad, COUNT, isCount } from './bad-option.js';
import { McpOptionError } from '../mcp.errors.js';

/** How much of an answer a tool sends to the model. */
export interface McpToolResultOptions {
  /**
   * Maximum bytes of an answer in a result, at most `limits.responseBytes`. Notes about what is left out are not
   * counted. Does not apply to tools with an `outputSchema` in `@McpTool` or with `content: 'blocks'`.
   * @default `limits.responseBytes`
   */
  readonly maxBytes?: number;
  /**
   * What happens to the rest. `truncate`: it is left out. `link`: the result has a `resource_link`, and clients
   * read the rest in parts by `resources/read`.
   * @default 'truncate'
   */
  readonly overflow?: 'truncate' | 'link';
}

/** The size of results, for tools that do not set their own. */
export interface McpResultOptions extends McpToolResultOptions {
  /** Milliseconds after which the rest of an answer can no longer be read. @default 600_000 */
  readonly linkTtlMs?: number;
  /** Maximum number of answers kept for links. The oldest is removed for a new one. @default 1_000 */
  readonly maxLinks?: number;
  /** Maximum bytes of the answers kept for links, together. @default 67_108_864 */
  readonly linkBytes?: number;
}

/** Limits of the answers that are kept for links. */
export interface LinkLimits {
  readonly ttlMs: number;
  readonly max: number;
  readonly bytes: number;
}

export interface ResolvedMcpResult {
  /** Undefined: the limit is `limits.responseBytes`. */
  readonly maxBytes: number | undefined;
  readonly overflow: 'truncate' | 'link';
  readonly links: LinkLimits;
}

const TOOL_RESULT: KnownOptions<McpToolResultOptions> = { maxBytes: true, overflow: true };

export const RESULT: KnownOptions<McpResultOptions> = {
  ...TOOL_RESULT,
  linkTtlMs: true,
  maxLinks: true,
  linkBytes: true,
};

/** @throws McpOptionError for an invalid value */
export function resultOf(given: McpResultOptions = {}, responseBytes: number): ResolvedMcpResult {
  const { maxBytes, overflow = 'truncate' } = given;
  const { linkTtlMs = 600_000, maxLinks = 1_000, linkBytes = 67_108_864 } = given;
  refuse(wrongLimit({ maxBytes, overflow }, responseBytes));
  const counts = { linkTtlMs, maxLinks, linkBytes };
  for (const [name, value] of Object.entries(counts)) refuse(wrongCount(name, value));
  return { maxBytes, overflow, links: { ttlMs: linkTtlMs, max: maxLinks, bytes: linkBytes } };
}

/**
 * The size of the results of one tool.
 * @param place names the tool's method
 * @throws McpOptionError for an unknown option or an invalid value
 */
export function toolLimitOf(
  module: ResolvedMcpResult,
  given: McpToolResultOptions = {},
  responseBytes: number,
  place: string,
): ResolvedMcpResult {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(TOOL_RESULT, name));
  if (unknown !== undefined) {
    throw new McpOptionError(
      `@McpTool({ result: { ${unknown} } }) on ${place} is no option. The options are maxBytes and overflow; ` +
        `those of links are set in McpModule.forRoot({ result }).`,
    );
  }
  const limit = {
    maxBytes: given.maxBytes ?? module.maxBytes,
    overflow: given.overflow ?? module.overflow,
  };
  const wrong = wrongLimit(limit, responseBytes);
  if (wrong) {
    throw new McpOptionError(
      `@McpTool({ ${wrong.option} }) on ${place} is ${String(wrong.value)}, but must be ${wrong.expected}.`,
    );
  }
  return { ...module, ...limit };
}

interface Wrong {
  readonly option: string;
  readonly value: unknown;
  readonly expected: string;
}

function wrongLimit(
  { maxBytes, overflow }: Pick<ResolvedMcpResult, 'maxBytes' | 'overflow'>,
  responseBytes: number,
): Wrong | undefined {
  if (overflow !== 'truncate' && overflow !== 'link') {
    return { option: 'result.overflow', value: overflow, expected: "'truncate' or 'link'" };
  }
  if (maxBytes === undefined) return undefined;
  const wrong = wrongCount('maxBytes', maxBytes);
  if (wrong || maxBytes <= responseBytes) return wrong;
  const expected = `at most limits.responseBytes, which is ${responseBytes}: the server keeps no more of an answer`;
  return { option: 'result.maxBytes', value: maxBytes, expected };
}

function wrongCount(name: string, value: number): Wrong | undefined {
  return isCount(value) ? undefined : { option: `result.${name}`, value, expected: COUNT };
}

function refuse(wrong: Wrong | undefined): void {
  if (wrong) throw bad(wrong.option, wrong.value, wrong.expected);
}
