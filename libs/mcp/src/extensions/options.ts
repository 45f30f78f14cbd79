// The types and public error classes of extensions. Only `index.ts` and `mcp.options.ts` of the package import this file.
import type { SearchOption } from './search/search-options.js';

export type { McpSearchOptions } from './search/search-options.js';

/** The options of extensions that the module and each of its endpoints accept. */
export type McpExtensionOptions = SearchOption;
