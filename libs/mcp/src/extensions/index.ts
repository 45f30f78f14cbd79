import type { McpExtension } from '../serve/methods/extension.js';
import { argumentHeaders } from './argument-headers/argument-headers.js';
import { audit } from './audit/audit.js';
import { hiddenCharacters } from './hidden-characters/hidden-characters.js';
import { cache } from './cache/cache.js';
import { check } from './check/check.js';
import { entryDetails } from './entry-details/entry-details.js';
import { pages } from './pages/pages.js';
import { result } from './result/result.js';
import { sdkServer } from './sdk-server/sdk-server.js';
import { search } from './search/search.js';
import { select } from './select/select.js';
import { tasks } from './tasks/tasks.js';
import { telemetry } from './telemetry/telemetry.js';
import { writes } from './writes/writes.js';
import { toolNames } from './tool-names/tool-names.js';

/**
 * The optional features, from the outermost to the innermost. Only `mcp-server.module.ts` imports
 * this list. Outside the folders of the features, only this file, `options.ts` and the Redis stores
 * import them.
 */
export const EXTENSIONS: readonly McpExtension[] = [
  telemetry,
  audit,
  argumentHeaders,
  pages,
  sdkServer,
  search,
  result,
  select,
  tasks,
  writes,
  hiddenCharacters,
  toolNames,
  entryDetails,
  check,
  cache,
];
