import type {
  McpAuthOptions,
  McpBearerAuthOptions,
  McpOidcAuthOptions,
  McpResourceMetadata,
} from './auth-options.js';
import { bad } from './bad-option.js';
import { McpOptionError } from '../mcp.errors.js';
import { type ResolvedOidc, resolvedOidcOf } from './oidc-checks.js';
import { metadataUrlOf } from '../well-known.js';

// Checks the options of authentication at boot. Invalid ones throw `McpOptionError`.

export type ResolvedMcpAuth = AuthMetadata & (ResolvedBearer | ResolvedOidc);

/** Authentication by a function of the application. */
export interface ResolvedBearer extends Pick<McpBearerAuthOptions, 'type' | 'validate'> {
  readonly requiredScopes: readonly string[];
}

/** What clients are told about where to get a token. */
interface AuthMetadata {
  /** URL of the metadata, sent in `WWW-Authenticate`. */
  readonly metadataUrl: string | undefined;
  /** The document to serve; undefined if it is served elsewhere. */
  readonly metadata: McpResourceMetadata | undefined;
}

/** Where options stand in those of the module. */
interface Place {
  /** Empty, or `endpoints[0].`. */
  readonly place?: string;
  /** Name of the server, for people. */
  readonly name: string;
}

/** @throws McpOptionError */
export function authOf(
  auth: McpAuthOptions | false | undefined,
  { place = '', name }: Place,
): ResolvedMcpAuth | undefined {
  if (auth === undefined || auth === false) return undefined;
  const at = `${place}auth.`;
  if (auth.type === 'oidc') return oidcOf(auth, at, name);
  const { type, validate, resourceMetadata, ...others } = auth;
  if (type !== 'bearer') throw bad(`${at}type`, type, "'bearer' or 'oidc'");
  if (typeof validate !== 'function') throw bad(`${at}validate`, validate, 'a function');
  refuseOthers(others, at, 'oidc');
  return { type, validate, requiredScopes: [], ...metadataOf(resourceMetadata, at) };
}

function oidcOf(auth: McpOidcAuthOptions, at: string, name: string): ResolvedMcpAuth {
  const { validate } = auth as { readonly validate?: unknown };
  refuseOthers({ validate }, at, 'bearer');
  const { resourceMetadata: given = {} } = auth;
  const resolved = resolvedOidcOf(auth, at);
  if (typeof given === 'string') return { ...resolved, ...metadataOf(given, at) };
  const resource = given.resource ?? resolved.audience.find(isHttpUrl);
  if (resource === undefined) {
    throw bad(
      `${at}resourceMetadata.resource`,
      undefined,
      'the URL of the endpoint for its clients, because no audience is a URL',
    );
  }
  const metadata = {
    resource_name: name,
    authorization_servers: [resolved.issuer],
    ...given,
    resource,
  };
  return { ...resolved, ...metadataOf(metadata, at) };
}

/** @throws McpOptionError for an option that only the other type of authentication has */
function refuseOthers(others: object, at: string, type: McpAuthOptions['type']): void {
  const [name] = Object.entries(others).find(([, value]) => value !== undefined) ?? [];
  if (name === undefined) return;
  throw new McpOptionError(
    `McpModule.forRoot({ ${at}${name} }) is an option of type '${type}'. Leave it out, or set ${at}type to '${type}'.`,
  );
}

function metadataOf(given: McpResourceMetadata | string | undefined, at: string): AuthMetadata {
  if (given === undefined) return { metadataUrl: undefined, metadata: undefined };
  const place = `${at}resourceMetadata`;
  const url = typeof given === 'string' ? given : given.resource;
  const option = typeof given === 'string' ? place : `${place}.resource`;
  // RFC 9728 §1.2: a URL without fragment.
  if (!isHttpUrl(url)) {
    throw bad(
      option,
      url,
      "an absolute URL without fragment, such as 'https://api.example.com/_mcp/messages'",
    );
  }
  if (typeof given === 'string') return { metadataUrl: given, metadata: undefined };
  if (!Array.isArray(given.authorization_servers)) {
    throw bad(
      `${place}.authorization_servers`,
      given.authorization_servers,
      'a list of issuer URLs',
    );
  }
  return { metadataUrl: metadataUrlOf(given.resource), metadata: given };
}

function isHttpUrl(url: string): boolean {
  return /^https?:/i.test(url) && URL.canParse(url) && !url.includes('#');
}
