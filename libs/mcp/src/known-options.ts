import { type KnownOptions, refuseUnknownOptions } from '@fledge/core/packages';
import { McpOptionError } from './mcp.errors.js';
import type {
  McpAdapterOptions,
  McpAuthOptions,
  McpLimitOptions,
  McpSessionOptions,
} from './mcp.options.js';

/**
 * Refuses names that are no options, also in nested objects: a misspelt `auth` leaves the endpoint
 * open to anyone.
 * @throws McpOptionError
 */
export function refuseUnknownMcpOptions(options: McpAdapterOptions): void {
  refuseUnknownOptions(options, KNOWN, 'McpModule.forRoot', McpOptionError);
}

const AUTH: KnownOptions<McpAuthOptions> = { type: true, validate: true, resourceMetadata: true };
const SESSIONS: KnownOptions<McpSessionOptions> = {
  max: true,
  reclaimAfterMs: true,
  idleTimeoutMs: true,
};
const LIMITS: KnownOptions<McpLimitOptions> = {
  requestBytes: true,
  responseBytes: true,
  timeoutMs: true,
};

const KNOWN: KnownOptions<McpAdapterOptions> = {
  name: true,
  version: true,
  description: true,
  mode: true,
  transport: true,
  basePath: true,
  include: true,
  exclude: true,
  auth: { known: AUTH },
  sessions: { known: SESSIONS },
  forwardHeaders: true,
  allowedOrigins: true,
  allowedHosts: true,
  limits: { known: LIMITS },
  visible: true,
  stateSecret: true,
};
