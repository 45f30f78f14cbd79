import { pageOrigin } from '@fledge/core/packages';
import {
  callback,
  checkNames,
  flag,
  group,
  kind,
  listOf,
  oneOf,
  type OptionTable,
  readBy,
  type ReadOptions,
  readValues,
  rule,
  text,
  texts,
  isToken,
} from '@fledge-internal/options';
import type { McpAdapterOptions, McpCoreOptions } from './mcp.options.js';
import {
  ENDPOINTS,
  endpointsOf,
  type ResolvedEndpoint,
  stdioEndpointOf,
} from './options/endpoint-defaults.js';
import {
  type ExtensionOption,
  type ExtensionOptions,
  optionNames,
  readExtensionOptions,
} from './options/extension-option.js';
import { LIMITS, type McpLimitOptions } from './options/limit-options.js';
import { httpMethods, placeOf } from './options/option-rules.js';
import { isToolSources, type McpToolSource } from './tool-source.js';
import { usesStdio } from './uses-stdio.js';

/** Injection token of `ResolvedMcpOptions`. */
export const MCP_OPTIONS = Symbol('MCP_OPTIONS');

/**
 * The options after defaults are applied. Only startup code reads the options that the application
 * passed.
 */
export interface ResolvedMcpOptions extends SharedMcpOptions {
  /** Contains at least one endpoint. Over stdio, contains only the served endpoint. */
  readonly endpoints: readonly EndpointOptions[];
  /** Extension options that are set for the module. */
  readonly extensions: ExtensionOptions;
}

/** The options of one endpoint: its own options and the options shared by all endpoints. */
export interface EndpointOptions extends SharedMcpOptions, ResolvedEndpoint {}

/** The options shared by all endpoints. */
type SharedMcpOptions = ReadOptions<typeof SHARED>;

const transport = oneOf('http', 'sse', 'stdio').optional;

const FORWARDED_BY_DEFAULT: readonly string[] = [
  'authorization',
  'mcp-session-id',
  'accept-language',
  'traceparent',
  'tracestate',
  'baggage',
];

/**
 * Headers that are never forwarded. These headers describe the connection or the JSON-RPC body (RFC
 * 9110 §7.6.1).
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

const forwardable = listOf(
  kind<string>(
    'the name of a header that does not describe the connection or the body',
    (value) => isToken(value) && !NEVER_FORWARDED.has(value.toLowerCase()),
  ).required,
).default(FORWARDED_BY_DEFAULT);

const origins = listOf(
  readBy<string, string>((given, place) => {
    const origin = typeof given === 'string' ? pageOrigin(given) : undefined;
    if (origin !== undefined) return origin;
    throw place.wrong(
      given,
      "a full origin such as 'https://app.example.com' or 'chrome-extension://<id>'",
    );
  }).required,
).default([]);

const hostNames = listOf(
  readBy<string, string>((given, place) => {
    const isName = typeof given === 'string' && given !== '' && !/[/*]|:\d+$/.test(given);
    if (isName) return given;
    throw place.wrong(
      given,
      "a host name without protocol, port and wildcards, such as 'api.example.com'",
    );
  }).required,
).required;

/** 256 bits: the minimum key length that RFC 2104 §3 recommends for HMAC-SHA256. */
const STATE_SECRET_BYTES = 32;

const SHARED = {
  mode: oneOf('explicit', 'auto').default('explicit'),
  transport: rule((given: McpAdapterOptions['transport'], place): 'http' | 'stdio' =>
    usesStdio(transport.read(given, place)) ? 'stdio' : 'http',
  ),
  include: httpMethods,
  exclude: texts.default([]),
  warnUndescribed: flag.default(false),
  outputSchemas: oneOf('explicit', 'declared').default('explicit'),
  /**
   * Header names in lower case. The application's list is added to the default list. If the default
   * list were replaced, routes would not receive the token.
   */
  forwardHeaders: rule((given: readonly string[] | undefined, place): readonly string[] => {
    const names = forwardable.read(given, place).map((name) => name.toLowerCase());
    return names.length === 0 ? [] : [...new Set([...FORWARDED_BY_DEFAULT, ...names])];
  }),
  allowedOrigins: rule(
    (given: readonly string[] | undefined, place): ReadonlySet<string> =>
      new Set(origins.read(given, place)),
  ),
  direct: flag.default(false),
  allowedHosts: readBy((given: readonly string[], place): ReadonlySet<string> => {
    const hosts = hostNames.read(given, place);
    if (hosts.length === 0) throw place.error('is empty, so every request would be rejected');
    return new Set(hosts.map((host) => host.toLowerCase()));
  }).optional,
  limits: group<McpLimitOptions, typeof LIMITS>(LIMITS),
  visible: callback<NonNullable<McpAdapterOptions['visible']>>().optional,
  stateSecret: readBy((given: string, place) => {
    const bytes = Buffer.byteLength(text.required.read(given, place));
    if (bytes >= STATE_SECRET_BYTES) return given;
    throw place.error(`has ${bytes} bytes, but must have at least ${STATE_SECRET_BYTES}`);
  }).optional,
  toolSources: kind<readonly McpToolSource[]>(
    'a list of tool sources, such as [graphqlOperations({ ... })]',
    isToolSources,
  ).default([]),
};

const OPTIONS = { ...ENDPOINTS, ...SHARED } satisfies OptionTable<McpCoreOptions>;

/**
 * Checks the options and applies every default. Called once, at startup.
 * @throws McpOptionError for an unknown option or an invalid value
 */
export function resolveMcpOptions(
  options: McpAdapterOptions,
  extensions: readonly ExtensionOption[],
): ResolvedMcpOptions {
  const place = placeOf('McpModule.forRoot');
  const names = [...Object.keys(OPTIONS), ...optionNames(extensions)];
  checkNames(options, names, place);
  const shared = { ...readValues(options, SHARED, place), visible: options.visible?.bind(options) };
  const own = readExtensionOptions(extensions, options, place);
  const endpoints = endpointsOf(options, { extensions, own }, place);
  const served = shared.transport === 'stdio' ? [stdioEndpointOf(endpoints)] : endpoints;
  return {
    ...shared,
    extensions: own,
    endpoints: served.map((endpoint) => ({ ...shared, ...endpoint })),
  };
}
