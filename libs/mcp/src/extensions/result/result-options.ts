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

/** Module option for the size of results. */
export interface ResultOption {
  /** Limits the size of results sent to the model. */
  readonly result?: McpResultOptions;
}

/** Option of `@McpTool` for its results. */
export interface ResultToolOption {
  /** Limits and marks the results of this tool. @default `result` of the module */
  readonly result?: McpOwnToolResultOptions;
}

/** Limits the size of a tool's results. */
export interface McpToolResultOptions {
  /**
   * Maximum bytes of a result, at most `limits.responseBytes`. Notes about omitted parts are not
   * counted. Does not apply to tools with an `outputSchema` in `@McpTool` or with `content:
   * 'blocks'`, and not to tools of `servers`.
   * @default the module's limit (`limits.responseBytes` if unset)
   */
  readonly maxBytes?: number;
  /**
   * The action if a result is larger than the limit. `truncate`: the rest is dropped. `link`: the
   * result contains a `resource_link`. Clients read the rest in parts, with `resources/read`.
   * @default the module's setting
   */
  readonly overflow?: 'truncate' | 'link';
}

/** Options for the results of one tool. */
export interface McpOwnToolResultOptions extends McpToolResultOptions {
  /**
   * Set this if results contain content from strangers, such as mail or web pages. The content is
   * enclosed in two marks with a random number, and `_meta['fledge/untrusted']` contains the
   * number. `structuredContent` has no marks. This is a hint for the model, not a security boundary.
   * @default false
   */
  readonly untrusted?: boolean;
}

/** The result size of tools without their own size, and the limits for stored results. */
export interface McpResultOptions extends McpToolResultOptions {
  /**
   * The action if a result is larger than the limit, as in `@McpTool`.
   * @default 'truncate'
   */
  readonly overflow?: 'truncate' | 'link';
  /** Milliseconds for which the rest of a result can be read. @default 600_000 */
  readonly linkTtlMs?: number;
  /**
   * Maximum number of results stored for links. The oldest is removed to make room.
   * @default 1_000
   */
  readonly maxLinks?: number;
  /** Maximum total bytes of the results stored for links. @default 67_108_864 */
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

/** The size limit for the results of a tool. */
export interface ResultLimit {
  readonly maxBytes: number;
  readonly overflow: 'truncate' | 'link';
}

/** The resolved limits and marks for the results of a tool. */
export interface ResultRules {
  /** Undefined: results are sent complete. */
  readonly limit: ResultLimit | undefined;
  readonly untrusted: boolean;
}

/**
 * Rejects a limit above the maximum size of responses that the server reads.
 * @param place path of the option `result`
 * @throws McpOptionError
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
      `at most limits.responseBytes (${responseBytes}), the largest response that the server reads`,
    );
}
