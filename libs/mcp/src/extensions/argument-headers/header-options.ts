import { isObject, kind, type OptionTable, type ReadOptions } from '@fledge-internal/options';

/** Option of `@McpTool` for arguments that are repeated as headers. */
export interface HeadersToolOption {
  /**
   * Arguments that clients of MCP 2026-07-28 repeat as headers, so proxies can route or limit
   * calls. For example, with `{ region: 'Region' }`, clients also send the argument `region` as the
   * header `Mcp-Param-Region`. A call is rejected if the header differs from the argument. The
   * arguments must be strings, integers or booleans.
   * @default none
   */
  readonly headers?: Readonly<Record<string, string>>;
}

export const HEADERS_TOOL_OPTION = {
  headers: kind<Readonly<Record<string, string>>>(
    'an object that maps argument names to header names',
    isObject,
  ).optional,
} satisfies OptionTable<HeadersToolOption>;

export type ResolvedHeaders = ReadOptions<typeof HEADERS_TOOL_OPTION>;
