import { isObject, kind, type OptionTable, type ReadOptions } from '@fledge-internal/options';

/** The option of `@McpTool`. */
export interface HeadersToolOption {
  /**
   * Arguments that clients of 2026-07-28 repeat as headers, for proxies that route or limit by them: `region` of
   * `{ region: 'Region' }` is sent as `Mcp-Param-Region`. A call whose header differs from the argument is refused.
   * The arguments must be texts, integers or booleans.
   * @default none
   */
  readonly headers?: Readonly<Record<string, string>>;
}

export const HEADERS_TOOL_OPTION = {
  headers: kind<Readonly<Record<string, string>>>(
    'an object with the name of a header for each argument',
    isObject,
  ).optional,
} satisfies OptionTable<HeadersToolOption>;

export type ResolvedHeaders = ReadOptions<typeof HEADERS_TOOL_OPTION>;
