import { isDeepStrictEqual } from 'node:util';
import type { McpEndpointOptions } from './endpoint-options.js';
import { bad, positive } from './bad-option.js';
import type { HttpMethod } from '../mcp.definitions.js';
import { McpOptionError } from '../mcp.errors.js';
import type { McpAdapterOptions } from '../mcp.options.js';
import { authOf, type ResolvedMcpAuth } from './auth-checks.js';
import { HTTP_METHODS, methodsOf, plainPath } from './option-checks.js';
import { type ResolvedMcpSearch, searchOf } from './search-options.js';
import { type McpServerInfo, serverInfoOf } from './server-options.js';
import { type ResolvedResume, resumeOf } from './resume-options.js';
import type { McpSessionOptions } from './session-options.js';
import type { McpSessionStore } from './session-store.js';

/** One endpoint after every default is applied. */
export interface ResolvedEndpoint {
  /** By default `/_mcp/messages`. */
  readonly path: string;
  readonly server: McpServerInfo;
  readonly instructions: string | undefined;
  readonly selection: Selection;
  readonly auth: ResolvedMcpAuth | undefined;
  readonly sessions: ResolvedSessions;
  /** Undefined: the endpoint lists every tool. */
  readonly search: ResolvedMcpSearch | undefined;
}

/** Which of the published routes an endpoint has. */
export interface Selection {
  /** Undefined: of every tag and of none. */
  readonly tags: readonly string[] | undefined;
  readonly include: readonly HttpMethod[];
  readonly exclude: readonly string[];
}

interface ResolvedSessions {
  readonly max: number;
  readonly reclaimAfterMs: number;
  readonly idleTimeoutMs: number | undefined;
  /** Undefined: sessions stay in the process that opened them. */
  readonly store: McpSessionStore | undefined;
  /** Undefined: streams are not resumed. */
  readonly resume: ResolvedResume | undefined;
}

/**
 * The endpoints of an application: those of `endpoints`, or else the one at `basePath`.
 * @throws McpOptionError for an invalid value, or two endpoints at one path
 */
export function endpointsOf(options: McpAdapterOptions): readonly ResolvedEndpoint[] {
  const { endpoints, basePath } = options;
  const whole = endpointOf(options);
  if (endpoints === undefined) return [whole];
  if (basePath !== undefined) {
    throw bad('basePath', basePath, 'left out: each of the endpoints has its own path');
  }
  if (endpoints.length === 0) throw bad('endpoints', '[]', 'a list with at least one endpoint');
  const resolved = endpoints.map((own, i) => partOf(options, whole, own, `endpoints[${i}].`));
  refuseSharedPaths(resolved);
  refuseTwoDocuments(resolved);
  return resolved;
}

/** The endpoint that publishes everything. */
function endpointOf(options: McpAdapterOptions): ResolvedEndpoint {
  const { basePath = '/_mcp', instructions, auth, sessions, search } = options;
  return {
    path: `${plainPath('basePath', basePath)}/messages`,
    server: serverInfoOf(options),
    instructions,
    selection: { tags: undefined, include: HTTP_METHODS, exclude: [] },
    auth: authOf(auth, { name: nameOf(options) }),
    sessions: sessionsOf(sessions),
    search: searchOf(search),
  };
}

/** The name of the application, for people. Endpoints of one resource describe it equally. */
function nameOf({ title, name }: McpAdapterOptions): string {
  return title ?? name;
}

/**
 * An endpoint that publishes a part.
 * @param whole what it has where it says nothing itself
 */
function partOf(
  options: McpAdapterOptions,
  whole: ResolvedEndpoint,
  own: McpEndpointOptions,
  place: string,
): ResolvedEndpoint {
  const { path, tags, include, exclude = [], instructions, auth, sessions, search } = own;
  if (typeof path !== 'string') throw bad(`${place}path`, path, "a path, such as '/mcp/admin'");
  if (tags?.length === 0) throw bad(`${place}tags`, '[]', 'a list with at least one tag');
  const { title, ...rest } = options;
  // A title belongs to a name.
  const server = {
    ...rest,
    ...(own.name === undefined && title !== undefined && { title }),
    ...own,
  };
  return {
    path: plainPath(`${place}path`, path),
    server: serverInfoOf(server, place),
    instructions: instructions ?? whole.instructions,
    selection: { tags, include: methodsOf(`${place}include`, include), exclude },
    auth: auth === undefined ? whole.auth : authOf(auth, { place, name: nameOf(options) }),
    sessions: sessions === undefined ? whole.sessions : sessionsOf(sessions, place),
    search: search === undefined ? whole.search : searchOf(search, place),
  };
}

/**
 * The endpoint that is served over stdio: that of `FLEDGE_MCP_ENDPOINT`, or else the first.
 * @throws McpOptionError if there is no such endpoint
 */
export function stdioEndpointOf(endpoints: readonly ResolvedEndpoint[]): ResolvedEndpoint {
  const wanted = process.env['FLEDGE_MCP_ENDPOINT'] ?? endpoints[0]?.path;
  const found = endpoints.find(({ path }) => path === wanted);
  if (found) return found;
  throw new McpOptionError(
    `FLEDGE_MCP_ENDPOINT is ${JSON.stringify(wanted)}, but must be the path of an endpoint: ` +
      `${endpoints.map(({ path }) => path).join(', ')}.`,
  );
}

/** @throws McpOptionError if two endpoints have one path. Express compares paths without case. */
function refuseSharedPaths(endpoints: readonly ResolvedEndpoint[]): void {
  const paths = endpoints.map(({ path }) => path.toLowerCase());
  for (const [i, path] of paths.entries()) {
    const first = paths.indexOf(path);
    if (first < i) {
      throw bad(`endpoints[${i}].path`, path, `another path than that of endpoints[${first}]`);
    }
  }
}

/** @throws McpOptionError if two endpoints describe one resource differently: it has one document */
function refuseTwoDocuments(endpoints: readonly ResolvedEndpoint[]): void {
  const documents = endpoints.map(({ auth }) => auth?.metadata);
  for (const [i, document] of documents.entries()) {
    const first = documents.findIndex((each) => each?.resource === document?.resource);
    if (document === undefined || isDeepStrictEqual(document, documents[first])) continue;
    throw bad(
      `endpoints[${i}].auth.resourceMetadata.resource`,
      document.resource,
      `another URL than that of endpoints[${first}], which has other metadata`,
    );
  }
}

function sessionsOf(sessions: McpSessionOptions = {}, place = ''): ResolvedSessions {
  const { max = 1, reclaimAfterMs = 60_000, idleTimeoutMs, store, resume } = sessions;
  if (store !== undefined && typeof (store as Partial<McpSessionStore>)?.connect !== 'function') {
    throw bad(`${place}sessions.store`, typeof store, 'a store, such as redisSessions({ client })');
  }
  return {
    max: positive(`${place}sessions.max`, max),
    reclaimAfterMs: positive(`${place}sessions.reclaimAfterMs`, reclaimAfterMs),
    idleTimeoutMs:
      idleTimeoutMs === undefined
        ? undefined
        : positive(`${place}sessions.idleTimeoutMs`, idleTimeoutMs),
    store,
    resume: resumeOf(resume, `${place}sessions.resume`),
  };
}
