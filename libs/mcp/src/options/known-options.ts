import { type KnownOptions, refuseUnknownOptions } from '@fledge/core/packages';
import { McpOptionError } from '../mcp.errors.js';
import type { McpAdapterOptions, McpLimitOptions } from '../mcp.options.js';
import type { McpBearerAuthOptions, McpOidcAuthOptions } from './auth-options.js';
import type { McpEndpointOptions } from './endpoint-options.js';
import { AUDIT, TELEMETRY } from './observe-options.js';
import { PAGE_FILE } from './page-options.js';
import { RESUME } from './resume-options.js';
import { RESULT } from './result-options.js';
import { SEARCH } from './search-options.js';
import { TASKS } from './task-options.js';
import { ICON, SERVER } from './server-options.js';
import type { McpSessionOptions } from './session-options.js';

/**
 * Rejects unknown option names, also in nested objects: a misspelled `auth` would leave the endpoint open.
 * @throws McpOptionError
 */
export function refuseUnknownMcpOptions(options: McpAdapterOptions): void {
  refuseUnknownOptions(options, KNOWN, 'McpModule.forRoot', McpOptionError);
}

const AUTH: KnownOptions<McpBearerAuthOptions & Omit<McpOidcAuthOptions, 'type'>> = {
  type: true,
  validate: true,
  resourceMetadata: true,
  issuer: true,
  audience: true,
  jwksUri: true,
  algorithms: true,
  typ: true,
  clockToleranceMs: true,
  keyCacheMs: true,
  requiredScopes: true,
  scopesOf: true,
};
const SESSIONS: KnownOptions<McpSessionOptions> = {
  max: true,
  reclaimAfterMs: true,
  idleTimeoutMs: true,
  store: true,
  resume: { known: RESUME, or: [true, false] },
};
const LIMITS: KnownOptions<McpLimitOptions> = {
  requestBytes: true,
  responseBytes: true,
  timeoutMs: true,
  listItems: true,
};

const ENDPOINT: KnownOptions<McpEndpointOptions> = {
  ...SERVER,
  icons: { known: ICON, isList: true },
  path: true,
  tags: true,
  include: true,
  exclude: true,
  auth: { known: AUTH, or: [false] },
  sessions: { known: SESSIONS },
  search: { known: SEARCH, or: [true, false] },
};

const KNOWN: KnownOptions<McpAdapterOptions> = {
  ...SERVER,
  mode: true,
  transport: true,
  basePath: true,
  endpoints: { known: ENDPOINT, isList: true },
  include: true,
  exclude: true,
  warnUndescribed: true,
  icons: { known: ICON, isList: true },
  outputSchemas: true,
  auth: { known: AUTH },
  sessions: { known: SESSIONS },
  forwardHeaders: true,
  allowedOrigins: true,
  allowedHosts: true,
  limits: { known: LIMITS },
  result: { known: RESULT },
  visible: true,
  stateSecret: true,
  toolSources: true,
  pages: { known: PAGE_FILE, isList: true },
  tasks: { known: TASKS },
  audit: { known: AUDIT },
  telemetry: { known: TELEMETRY, or: ['full', 'propagate', 'off'] },
  search: { known: SEARCH, or: [true, false] },
};
