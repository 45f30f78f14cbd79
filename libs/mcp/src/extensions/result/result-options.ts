import {
  count,
  flag,
  group,
  groupIfGiven,
  oneOf,
  type OptionTable,
  type Place,
  type ReadOptions,
} from '@fledge-internal/options';

/** The option of the module. */
export interface ResultOption {
  /** How much of an answer tools send to the model. */
  readonly result?: McpResultOptions;
}

/** The option of `@McpTool`. */
export interface ResultToolOption {
  /** How much of an answer is sent to the model. @default `result` of the module */
  readonly result?: McpOwnToolResultOptions;
}

/** How much of an answer a tool sends to the model. */
export interface McpToolResultOptions {
  /**
   * Maximum bytes of an answer in a result, at most `limits.responseBytes`. Notes about what is left out are not
   * counted. Does not apply to tools with an `outputSchema` in `@McpTool` or with `content: 'blocks'`.
   * @default that of the module, which is `limits.responseBytes`
   */
  readonly maxBytes?: number;
  /**
   * What happens to the rest. `truncate`: it is left out. `link`: the result has a `resource_link`, and clients
   * read the rest in parts by `resources/read`.
   * @default that of the module
   */
  readonly overflow?: 'truncate' | 'link';
}

/** How the results of one tool are sent. */
export interface McpOwnToolResultOptions extends McpToolResultOptions {
  /**
   * The result has texts of strangers, such as mail or web pages. They are put between two marks with a number that
   * nobody can guess, and `_meta['fledge/untrusted']` has the number. A hint for the model, and no security boundary.
   * @default false
   */
  readonly untrusted?: boolean;
}

/** The size of results, for tools that do not set their own. */
export interface McpResultOptions extends McpToolResultOptions {
  /** What happens to the rest of an answer that is too large, as for a tool. @default 'truncate' */
  readonly overflow?: 'truncate' | 'link';
  /** Milliseconds after which the rest of an answer can no longer be read. @default 600_000 */
  readonly linkTtlMs?: number;
  /** Maximum number of answers kept for links. The oldest is removed for a new one. @default 1_000 */
  readonly maxLinks?: number;
  /** Maximum bytes of the answers kept for links, together. @default 67_108_864 */
  readonly linkBytes?: number;
}

const overflow = oneOf('truncate', 'link');

const TOOL_RESULT = {
  maxBytes: count.optional,
  overflow: overflow.optional,
  untrusted: flag.default(false),
} satisfies OptionTable<McpOwnToolResultOptions>;

const RESULT = {
  maxBytes: count.optional,
  overflow: overflow.default('truncate'),
  linkTtlMs: count.default(600_000),
  maxLinks: count.default(1_000),
  linkBytes: count.default(67_108_864),
} satisfies OptionTable<McpResultOptions>;

export const RESULT_OPTION = { result: group(RESULT) } satisfies OptionTable<ResultOption>;

export const RESULT_TOOL_OPTION = {
  result: groupIfGiven(TOOL_RESULT),
} satisfies OptionTable<ResultToolOption>;

export type ResolvedResult = ReadOptions<typeof RESULT>;

export type ResolvedToolResult = ReadOptions<typeof RESULT_TOOL_OPTION>;

/** The limit of the results of a tool. */
export interface ResultLimit {
  readonly maxBytes: number;
  readonly overflow: 'truncate' | 'link';
}

/** What is done with the results of a tool. */
export interface ResultRules {
  /** Undefined: they are sent whole. */
  readonly limit: ResultLimit | undefined;
  readonly untrusted: boolean;
}

/**
 * @param place of `result`
 * @throws McpOptionError if a result would be larger than what the server keeps of an answer
 */
export function refuseLargeResult(
  maxBytes: number | undefined,
  responseBytes: number,
  place: Place,
): void {
  if (maxBytes === undefined || maxBytes <= responseBytes) return;
  throw place
    .at('maxBytes')
    .wrong(
      maxBytes,
      `at most limits.responseBytes, which is ${responseBytes}: the server keeps no more of an answer`,
    );
}
