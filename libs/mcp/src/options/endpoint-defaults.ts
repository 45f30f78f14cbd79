import { isDeepStrictEqual } from 'node:util';
import {
  checkedLater,
  checkNames,
  group,
  listOf,
  type Place,
  type ReadOptions,
  readValues,
  rule,
} from '@fledge-internal/options';
import type { HttpMethod } from '../mcp.definitions.js';
import { McpOptionError } from '../mcp.errors.js';
import type { McpAdapterOptions, McpEndpointOptions } from '../mcp.options.js';
import { auth, describedAuth, type ResolvedMcpAuth } from './auth-checks.js';
import { ENDPOINT } from './endpoint-options.js';
import {
  type ExtensionOption,
  type ExtensionOptions,
  optionNames,
  readExtensionOptions,
} from './extension-option.js';
import { HTTP_METHODS, plainPath } from './option-rules.js';
import { type McpServerInfo, SERVER, serverInfoOf } from './server-options.js';
import { type McpSessionOptions, SESSIONS } from './session-options.js';

/** The options of one endpoint after defaults are applied. */
export interface ResolvedEndpoint {
  /** Path of the endpoint. By default `/_mcp/messages`. */
  readonly path: string;
  readonly server: McpServerInfo;
  readonly instructions: string | undefined;
  readonly selection: Selection;
  readonly auth: ResolvedMcpAuth | undefined;
  readonly sessions: ReadOptions<typeof SESSIONS>;
  readonly extensions: ExtensionOptions;
}

type CoreEndpoint = Omit<ResolvedEndpoint, 'extensions'>;

/** Selects the published routes of an endpoint. */
export interface Selection {
  /** Undefined: routes are not filtered by tags. */
  readonly tags: readonly string[] | undefined;
  readonly include: readonly HttpMethod[];
  readonly exclude: readonly string[];
}

/** The options of `McpModule` that configure endpoints. */
export const ENDPOINTS = {
  ...SERVER,
  basePath: plainPath.default('/_mcp'),
  endpoints: checkedLater,
  auth,
  sessions: group<McpSessionOptions, typeof SESSIONS>(SESSIONS),
};

/** The extensions, and the path of their options in the options of the module. */
interface ModuleExtensions {
  readonly extensions: readonly ExtensionOption[];
  readonly own: ExtensionOptions;
}

/**
 * Returns the endpoints of an application. These are the entries of `endpoints`. Without
 * `endpoints`, there is one endpoint at `basePath`.
 * @param place path of the module's options
 * @throws McpOptionError if a value is invalid, or if two endpoints have the same path
 */
export function endpointsOf(
  options: McpAdapterOptions,
  { extensions, own }: ModuleExtensions,
  place: Place,
): readonly ResolvedEndpoint[] {
  const module = readValues(options, ENDPOINTS, place);
  const whole = { ...wholeOf(module), extensions: own };
  const accepted = extensions.filter(({ scope }) => scope !== 'module');
  const names = [...Object.keys(ENDPOINT), ...optionNames(accepted)];
  const endpoint = rule<McpEndpointOptions, ResolvedEndpoint>((given, at) => {
    checkNames(given, names, at);
    return {
      ...partOf(module, whole, readValues(given, ENDPOINT, at)),
      extensions: readExtensionOptions(accepted, given, at, own),
    };
  });
  const endpoints = listOf(endpoint, 1).optional.read(options.endpoints, place.at('endpoints'));
  if (endpoints === undefined) return [whole];
  if (options.basePath !== undefined) {
    throw place
      .at('basePath')
      .wrong(options.basePath, 'removed, because each item of `endpoints` has its own path');
  }
  refuseSharedPaths(endpoints, place.at('endpoints'));
  refuseTwoDocuments(endpoints, place.at('endpoints'));
  return endpoints;
}

type ModuleOptions = ReadOptions<typeof ENDPOINTS>;

/**
 * Returns the single endpoint of an application that does not set `endpoints`. This endpoint
 * publishes everything.
 */
function wholeOf(module: ModuleOptions): CoreEndpoint {
  return {
    path: `${module.basePath}/messages`,
    server: serverInfoOf(module),
    instructions: module.instructions,
    selection: { tags: undefined, include: HTTP_METHODS, exclude: [] },
    auth: describedAuth(module.auth, nameOf(module)),
    sessions: module.sessions,
  };
}

/** Returns the application's display name. Endpoints that share a resource use the same name. */
function nameOf({ title, name }: ModuleOptions): string {
  return title ?? name;
}

/**
 * Returns one entry of `endpoints`.
 * @param whole provides the values of options that the entry omits
 */
function partOf(
  module: ModuleOptions,
  whole: CoreEndpoint,
  own: ReadOptions<typeof ENDPOINT>,
): CoreEndpoint {
  const { path, tags, include, exclude } = own;
  return {
    path,
    server: serverInfoOf({
      name: own.name ?? module.name,
      version: own.version ?? module.version,
      // The module's title does not fit an endpoint with another name.
      title: own.title ?? (own.name === undefined ? module.title : undefined),
      description: own.description ?? module.description,
      websiteUrl: own.websiteUrl ?? module.websiteUrl,
      icons: own.icons ?? module.icons,
    }),
    instructions: own.instructions ?? whole.instructions,
    selection: { tags, include, exclude },
    auth:
      own.auth === undefined ? whole.auth : describedAuth(own.auth || undefined, nameOf(module)),
    sessions: own.sessions ?? whole.sessions,
  };
}

/**
 * Returns the endpoint that is served over stdio. The variable `FLEDGE_MCP_ENDPOINT` selects the
 * endpoint. By default, the first endpoint is served.
 * @throws McpOptionError if there is no such endpoint
 */
export function stdioEndpointOf(endpoints: readonly ResolvedEndpoint[]): ResolvedEndpoint {
  const wanted = process.env['FLEDGE_MCP_ENDPOINT'] ?? endpoints[0]?.path;
  const found = endpoints.find(({ path }) => path === wanted);
  if (found) return found;
  throw new McpOptionError(
    `The environment variable FLEDGE_MCP_ENDPOINT is ${JSON.stringify(wanted)}, but must be the ` +
      `path of an endpoint: ${endpoints.map(({ path }) => path).join(', ')}.`,
  );
}

/**
 * @throws McpOptionError if two endpoints have the same path. Express compares paths
 * case-insensitively.
 */
function refuseSharedPaths(endpoints: readonly ResolvedEndpoint[], place: Place): void {
  const paths = endpoints.map(({ path }) => path.toLowerCase());
  for (const [i, path] of paths.entries()) {
    const first = paths.indexOf(path);
    if (first === i) continue;
    throw place.at(`[${i}].path`).wrong(path, `different from the path of endpoints[${first}]`);
  }
}

/**
 * @throws McpOptionError if two endpoints declare different metadata for the same resource. A
 * resource has only one metadata document.
 */
function refuseTwoDocuments(endpoints: readonly ResolvedEndpoint[], place: Place): void {
  const documents = endpoints.map(({ auth: each }) => each?.metadata);
  for (const [i, document] of documents.entries()) {
    const first = documents.findIndex((each) => each?.resource === document?.resource);
    if (document === undefined || isDeepStrictEqual(document, documents[first])) continue;
    throw place
      .at(`[${i}].auth.resourceMetadata.resource`)
      .wrong(
        document.resource,
        `different from the resource of endpoints[${first}], because their metadata differs`,
      );
  }
}
