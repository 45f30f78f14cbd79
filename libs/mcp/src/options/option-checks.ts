import { pageOrigin } from '@fledge/core/packages';
import { bad } from './bad-option.js';
import type { HttpMethod } from '../mcp.definitions.js';
import { McpOptionError } from '../mcp.errors.js';
import type { McpAdapterOptions } from '../mcp.options.js';
import { isToolSources } from '../tool-source.js';

// Checks options at boot. Invalid ones throw `McpOptionError`.

export const HTTP_METHODS: readonly HttpMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** @throws McpOptionError for an unknown transport, mode or choice of output schemas */
export function refuseBadChoices({
  transport = 'http',
  mode = 'explicit',
  outputSchemas = 'explicit',
  toolSources = [],
}: McpAdapterOptions): void {
  if (transport !== 'http' && transport !== 'sse' && transport !== 'stdio') {
    throw bad('transport', transport, "'http', 'sse' or 'stdio'");
  }
  if (mode !== 'explicit' && mode !== 'auto') throw bad('mode', mode, "'explicit' or 'auto'");
  if (outputSchemas !== 'explicit' && outputSchemas !== 'declared') {
    throw bad('outputSchemas', outputSchemas, "'explicit' or 'declared'");
  }
  if (!isToolSources(toolSources)) {
    throw bad(
      'toolSources',
      toolSources,
      'a list of sources, such as [graphqlOperations({ ... })]',
    );
  }
}

/** The HTTP methods of an option, by default every one. */
export function methodsOf(
  option: string,
  include: readonly HttpMethod[] = HTTP_METHODS,
): readonly HttpMethod[] {
  const unknown = include.find((verb) => !HTTP_METHODS.includes(verb));
  if (unknown !== undefined) throw bad(option, unknown, `one of ${HTTP_METHODS.join(', ')}`);
  return include;
}

/**
 * Headers that cannot be forwarded: they describe the connection or the JSON-RPC body (RFC 9110 §7.6.1).
 */
const NEVER_FORWARDED = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

export function plainPath(option: string, path: string): string {
  const trimmed = path.replace(/\/+$/, '');
  if (!/^(\/[A-Za-z0-9_.~-]+)+$/.test(trimmed)) {
    throw bad(option, path, "a path of plain segments with a leading slash, such as '/_mcp'");
  }
  return trimmed;
}

/** 256 bits: the minimum key length that RFC 2104 §3 recommends for HMAC-SHA256. */
const STATE_SECRET_BYTES = 32;

export function stateSecretOf(secret: string | undefined): string | undefined {
  if (secret === undefined || Buffer.byteLength(secret) >= STATE_SECRET_BYTES) return secret;
  throw new McpOptionError(
    `McpModule.forRoot({ stateSecret }) has ${Buffer.byteLength(secret)} bytes, but must have at least ${STATE_SECRET_BYTES}.`,
  );
}

export function forwardable(header: string): string {
  const name = header.toLowerCase();
  if (NEVER_FORWARDED.has(name)) {
    throw bad(
      'forwardHeaders',
      header,
      'a header that does not speak of the connection or the body',
    );
  }
  return name;
}

export function checkedOrigin(origin: string): string {
  const checked = pageOrigin(origin);
  if (checked !== undefined) return checked;
  throw bad(
    'allowedOrigins',
    origin,
    "a full origin such as 'https://app.example.com' or 'chrome-extension://<id>'",
  );
}
