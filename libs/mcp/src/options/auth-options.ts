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

/** The HTTP request that contained an MCP message. */
export interface McpRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** IP address of the peer, from the socket. */
  readonly remoteAddress: string | undefined;
  /**
   * The return value of `auth.validate`, or the claims of the token. Undefined while `validate`
   * runs, if `validate` returned true, and if `auth` is not set.
   */
  readonly principal: McpPrincipal | undefined;
  /** Path of the endpoint, such as `/_mcp/messages`. */
  readonly endpoint: string;
}

/** The caller identified by a token. Additional fields are passed to the route unchanged. */
export interface McpPrincipal {
  /**
   * Stable id of the caller. A session continues when the client renews its token, if the id stays
   * the same.
   */
  readonly id: string;
  /**
   * OAuth scopes of the token, which tools, resources and prompts may require. Must be a list:
   * split the `scope` of a JWT at spaces. Any other value is rejected with HTTP 401 and logged as
   * an error.
   * @default none
   */
  readonly scopes?: readonly string[];
  readonly [claim: string]: unknown;
}

/**
 * Metadata of a protected resource, with the field names of RFC 9728 §2. If omitted,
 * `bearer_methods_supported` is `['header']` and `scopes_supported` lists the scopes of everything
 * published.
 */
export interface McpResourceMetadata {
  /**
   * Identifier of the resource: the public URL of the endpoint, such as
   * `https://api.example.com/_mcp/messages`. Clients reject a document for another URL (RFC 9728
   * §3.3).
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

/** How the endpoint authenticates callers. The guards of the routes also run. */
export type McpAuthOptions = McpBearerAuthOptions | McpOidcAuthOptions;

/**
 * Bearer authentication of the endpoint with your own function. The guards of the routes also run.
 */
export interface McpBearerAuthOptions {
  /** The scheme of the `Authorization` header. */
  readonly type: 'bearer';
  /**
   * Checks the token of every request. Return false or throw to reject the request with HTTP 401.
   * Requests without a token get 401 without calling this function. If tokens expire, return the
   * principal instead of true: a session is then bound to the principal's id instead of the
   * `Authorization` header.
   */
  readonly validate: (
    token: string,
    request: McpRequest,
  ) => boolean | McpPrincipal | Promise<boolean | McpPrincipal>;
  /**
   * Metadata that tells clients where to get a token (RFC 9728). An object is served at the
   * well-known paths; a URL refers to a document that is served elsewhere. `WWW-Authenticate`
   * contains the URL of the metadata.
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
 * Authentication with JWT access tokens of an OAuth 2 or OpenID Connect provider. The principal
 * contains the claims of the token, and its `id` is `{iss}#{sub}`. The guards of the routes also
 * run.
 */
export interface McpOidcAuthOptions {
  /** Authentication with tokens of a provider. */
  readonly type: 'oidc';
  /**
   * Issuer URL of the provider, exactly as in the `iss` claim of its tokens. The provider's
   * metadata, at the well-known paths of RFC 8414 or OpenID Connect, contains the URL of its keys.
   * The metadata is read with the first token, not at startup.
   */
  readonly issuer: string;
  /**
   * Value that `aud` of a token must contain. With a list, `aud` must contain one of the values.
   * Prefer the URL of the endpoint, because MCP clients request tokens for this URL (RFC 8707).
   */
  readonly audience: string | readonly string[];
  /**
   * URL of the provider's keys (JWK Set), if its metadata is not available. @default `jwks_uri` of
   * the metadata
   */
  readonly jwksUri?: string;
  /**
   * Accepted signature algorithms. They must be asymmetric.
   * @default RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA, Ed25519
   */
  readonly algorithms?: readonly string[];
  /**
   * Accepts only tokens with the `typ` `at+jwt` (RFC 9068), which excludes ID tokens.
   * @default `at+jwt`, `JWT` and a missing `typ` are accepted, because many providers do not set it
   */
  readonly typ?: 'at+jwt';
  /** Accepted clock difference in milliseconds for the times in tokens. @default 30_000 */
  readonly clockToleranceMs?: number;
  /**
   * Milliseconds for which keys are cached. A key that the provider revoked is accepted until then.
   * If a token has an unknown key id, the keys are loaded again, at most once in 30 seconds.
   * @default 600_000
   */
  readonly keyCacheMs?: number;
  /**
   * Scopes that a token needs for any request. If one is missing, the client gets HTTP 403 and can
   * request the scopes.
   * @default none
   */
  readonly requiredScopes?: readonly string[];
  /**
   * Reads the scopes from the claims, for example from `permissions`.
   * @default the scopes in `scope` and `scp`, as string or list
   */
  readonly scopesOf?: (claims: Readonly<Record<string, unknown>>) => readonly string[];
  /**
   * Fields that are added to the metadata of the endpoint, or that replace fields of it (RFC 9728).
   * `resource` is required if no audience is a URL. A URL refers to a document that is served
   * elsewhere.
   * @default `resource` is the first audience that is a URL, `authorization_servers` the issuer,
   * `resource_name` the name of the server
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
