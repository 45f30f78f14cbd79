// The option types and public error classes of the extensions. Only `index.ts` and the files that
// define public options import this file.
import type { HeadersToolOption } from './argument-headers/header-options.js';
import type { AuditOption } from './audit/audit-options.js';
import type { HiddenCharactersOption } from './hidden-characters/hidden-characters-option.js';
import type { CacheOption } from './cache/cache-options.js';
import type { CheckOption } from './check/check-options.js';
import type { EntryDetails } from './entry-details/entry-details-options.js';
import type { PageResourceOption, PagesOption, PageToolOption } from './pages/page-options.js';
import type { ResultOption, ResultToolOption } from './result/result-options.js';
import type { ServersOption } from './sdk-server/server-options.js';
import type { SearchOption } from './search/search-options.js';
import type { SelectToolOption } from './select/select-options.js';
import type { TasksOption, TaskToolOption } from './tasks/task-options.js';
import type { TelemetryOption } from './telemetry/telemetry-options.js';
import type { WritesOption, WriteToolOptions } from './writes/write-options.js';
import type { ToolNamesOption } from './tool-names/tool-names-options.js';

export type { McpAuditOptions } from './audit/audit-options.js';
export type { McpCacheOptions } from './cache/cache-options.js';
export { PageError } from './pages/page-error.js';
export type {
  McpPageCsp,
  McpPageFile,
  McpPagePermission,
  McpPageSettings,
  McpToolUi,
} from './pages/page-options.js';
export type {
  McpOwnToolResultOptions,
  McpResultOptions,
  McpToolResultOptions,
} from './result/result-options.js';
export type { McpSdkServer, McpSdkServerOptions } from './sdk-server/server-options.js';
export type { McpSearchOptions } from './search/search-options.js';
export type { McpTaskOptions, McpToolTask } from './tasks/task-options.js';
export type {
  McpStoredTask,
  McpTaskAnswers,
  McpTaskEndpoint,
  McpTaskReceiver,
  McpTasks,
  McpTaskStore,
} from './tasks/task-store.js';
export type { McpTelemetryMode, McpTelemetryOptions } from './telemetry/telemetry-options.js';
export type {
  McpToolConfirm,
  McpToolIdempotency,
  McpTransaction,
  McpWriteOptions,
} from './writes/write-options.js';
export type { McpKnownWrite, McpWrite, McpWrites, McpWriteStore } from './writes/write-store.js';
export type { McpToolNames } from './tool-names/tool-names-options.js';

/** Options of all extensions for `McpModule.forRoot()`. */
export interface McpExtensionOptions
  extends
    AuditOption,
    HiddenCharactersOption,
    CheckOption,
    PagesOption,
    ResultOption,
    ServersOption,
    TasksOption,
    TelemetryOption,
    WritesOption,
    McpEndpointExtensionOptions {}

/** Options of extensions that each endpoint also accepts. */
export interface McpEndpointExtensionOptions extends CacheOption, SearchOption, ToolNamesOption {}

/** Options of all extensions for `@McpTool`. */
export interface McpExtensionToolOptions
  extends
    EntryDetails,
    HeadersToolOption,
    PageToolOption,
    ResultToolOption,
    SelectToolOption,
    TaskToolOption,
    WriteToolOptions {}

/** Options of all extensions for `@McpResource`. */
export interface McpExtensionResourceOptions extends PageResourceOption, EntryDetails {}

/** Options of all extensions for `@McpPrompt`. */
export type McpExtensionPromptOptions = EntryDetails;
