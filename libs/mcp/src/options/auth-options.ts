import {
  atLeast,
  callback,
  count,
  isObject,
  kind,
  oneOf,
  type OptionTable,
  readBy,
  readValues,
} from '@fledge-internal/options';
import {
  absoluteUrl,
  algorithms,
  audience,
  issuer,
  requiredScopes,
  resourceUrl,
} from './auth-rules.js';

/** The HTTP request that carried an MCP message. */
export interface McpRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** IP address of the peer, from the socket. */
  readonly remoteAddress: string | undefined;
  /**
   * What `auth.validate` returned, or the claims of the token. Undefined if it returned true, while it runs,
   * and without `auth`.
   */
  readonly principal: McpPrincipal | undefined;
  /** Path of the endpoint, such as `/_mcp/messages`. */
  readonly endpoint: string;
}

/** The caller that a token identifies. Additional members are passed to the route unchanged. */
export interface McpPrincipal {
  /** Stable id of the caller. A session continues when the token is renewed for the same id. */
  readonly id: string;
  /**
   * OAuth scopes of the token, which tools, resources and prompts may require. A list: split the `scope` of a JWT at its
   * spaces. Another value is refused with HTTP 401 and an error in the log.
   * @default none
   */
  readonly scopes?: readonly string[];
  readonly [claim: string]: unknown;
}

/**
 * Metadata of a protected resource, with the member names of RFC 9728 §2. If omitted,
 * `bearer_methods_supported` is `['header']` and `scopes_supported` lists the scopes of everything
 * published.
 */
export interface McpResourceMetadata {
  /**
   * Identifier of the resource: the URL of the endpoint for its clients, such as
   * `https://api.example.com/_mcp/messages`. Clients reject a document for another URL (RFC 9728 §3.3).
   */
  readonly resource: string;
  /** Issuer URLs of the authorization servers. */
  readonly authorization_servers: readonly string[];
  readonly scopes_supported?: readonly string[];
  readonly [member: string]: unknown;
}

const RESOURCE_METADATA = {
  resource: resourceUrl,
  authorization_servers: kind<readonly string[]>('a list of issuer URLs', Array.isArray).required,
};

/** Metadata, or the URL of a document that is served elsewhere. */
export const resourceMetadata = readBy((given: McpResourceMetadata | string, place) => {
  if (!isObject(given)) return resourceUrl.read(given, place);
  readValues(given, RESOURCE_METADATA, place);
  return given;
});

/** How the endpoint authenticates callers. The guards of the routes run in addition. */
export type McpAuthOptions = McpBearerAuthOptions | McpOidcAuthOptions;

/** Bearer authentication of the endpoint with a function of yours. The guards of the routes run in addition. */
export interface McpBearerAuthOptions {
  /** The scheme of the `Authorization` header. */
  readonly type: 'bearer';
  /**
   * Checks the token of every request. Return false or throw to refuse it with HTTP 401. A request without
   * a token gets 401 without a call of this function. If tokens expire, return the principal instead of
   * true: a session is then bound to its id, and otherwise to the `Authorization` header.
   */
  readonly validate: (
    token: string,
    request: McpRequest,
  ) => boolean | McpPrincipal | Promise<boolean | McpPrincipal>;
  /**
   * Metadata that tells clients where to get a token (RFC 9728). A document is served at the well-known
   * paths. A URL names a document that is served elsewhere. `WWW-Authenticate` contains the URL of the
   * metadata.
   * @default none
   */
  readonly resourceMetadata?: McpResourceMetadata | string;
}

export const BEARER = {
  type: oneOf('bearer').required,
  validate: callback<McpBearerAuthOptions['validate']>().required,
  resourceMetadata: resourceMetadata.optional,
} satisfies OptionTable<McpBearerAuthOptions>;

/**
 * Authentication by JWT access tokens of an OAuth 2 or OpenID Connect provider. The principal has the claims
 * of the token. Its `id` is `{iss}#{sub}`. The guards of the routes run in addition.
 */
export interface McpOidcAuthOptions {
  /** Tokens of a provider. */
  readonly type: 'oidc';
  /**
   * Issuer URL of the provider, written as in the `iss` of its tokens. Its metadata, at the well-known paths
   * of RFC 8414 or OpenID Connect, names the keys. They are read with the first token, not at boot.
   */
  readonly issuer: string;
  /**
   * What `aud` of a token must contain, or a list of which it must contain one. The URL of the endpoint is
   * best, because MCP clients request tokens for it (RFC 8707).
   */
  readonly audience: string | readonly string[];
  /** URL of the provider's keys (JWK Set), if its metadata cannot be read. @default `jwks_uri` of the metadata */
  readonly jwksUri?: string;
  /**
   * Signature algorithms to accept. They must be asymmetric.
   * @default RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA, Ed25519
   */
  readonly algorithms?: readonly string[];
  /**
   * Requires `at+jwt` as the `typ` of a token (RFC 9068), which ID tokens do not have.
   * @default `at+jwt`, `JWT` and none are accepted, because many providers do not set it
   */
  readonly typ?: 'at+jwt';
  /** Milliseconds by which clocks may differ, for the times in tokens. @default 30_000 */
  readonly clockToleranceMs?: number;
  /**
   * Milliseconds for which keys are cached. A key that the provider withdraws is accepted for that long. A
   * token with an unknown key id makes the keys be read again, at most every 30 seconds.
   * @default 600_000
   */
  readonly keyCacheMs?: number;
  /**
   * Scopes that a token must have for any request. Without one of them the client gets HTTP 403 and
   * requests them.
   * @default none
   */
  readonly requiredScopes?: readonly string[];
  /**
   * Reads the scopes from the claims, such as from `permissions`.
   * @default those in `scope` and `scp`, as text or list
   */
  readonly scopesOf?: (claims: Readonly<Record<string, unknown>>) => readonly string[];
  /**
   * Members to add to the metadata of the endpoint, or to replace (RFC 9728). `resource` is required if no
   * audience is a URL. A URL names a document that is served elsewhere.
   * @default `resource` is the first audience that is a URL, `authorization_servers` the issuer, `resource_name`
   * the name of the server
   */
  readonly resourceMetadata?: Partial<McpResourceMetadata> | string;
}

export const OIDC = {
  type: oneOf('oidc').required,
  issuer,
  audience,
  jwksUri: absoluteUrl.optional,
  algorithms,
  typ: oneOf('at+jwt').optional,
  clockToleranceMs: atLeast(0).default(30_000),
  keyCacheMs: count.default(600_000),
  requiredScopes,
  scopesOf: callback<NonNullable<McpOidcAuthOptions['scopesOf']>>().optional,
  resourceMetadata: kind<Partial<McpResourceMetadata> | string>(
    'a URL or an object',
    (value) => typeof value === 'string' || isObject(value),
  ).default({}),
} satisfies OptionTable<McpOidcAuthOptions>;
