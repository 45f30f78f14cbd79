// The types and public error classes of extensions. Only `index.ts`, `mcp.options.ts` and `mcp-tool.options.ts` import this file.
import type { HeadersToolOption } from './argument-headers/header-options.js';
import type { SearchOption } from './search/search-options.js';

export type { McpSearchOptions } from './search/search-options.js';

/** The options of extensions that the module and each of its endpoints accept. */
export type McpExtensionOptions = SearchOption;

/** The options of extensions in `@McpTool`. */
export type McpExtensionToolOptions = HeadersToolOption;
