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
  /** IP address from which the connection comes, read from the socket. */
  readonly remoteAddress: string | undefined;
  /**
   * Return value of `auth.validate`, or the claims of the token. Undefined if `validate` is still
   * running, if `validate` returned true, or if `auth` is not set.
   */
  readonly principal: McpPrincipal | undefined;
  /** Path of the endpoint, such as `/_mcp/messages`. */
  readonly endpoint: string;
}

/** The caller identified by a token. Additional fields are passed to the route unchanged. */
export interface McpPrincipal {
  /**
   * Stable id of the caller. If a client renews its token and the id stays the same, the session
   * continues.
   */
  readonly id: string;
  /**
   * OAuth scopes of the token. Tools, resources and prompts may require scopes. Must be a list:
   * split the claim `scope` of a JWT at spaces. Any other value is rejected with HTTP 401 and
   * logged as an error.
   * @default none
   */
  readonly scopes?: readonly string[];
  readonly [claim: string]: unknown;
}

/**
 * Metadata of a protected resource. The field names are from RFC 9728 §2. The default of
 * `bearer_methods_supported` is `['header']`. The default of `scopes_supported` is all scopes that
 * the published items require.
 */
export interface McpResourceMetadata {
  /**
   * Public URL of the endpoint, such as `https://api.example.com/_mcp/messages`. Clients reject the
   * metadata if this is not the URL of the endpoint (RFC 9728 §3.3).
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

/** Reads the option `resourceMetadata`: metadata, or the URL of a document on another server. */
export const resourceMetadata = readBy((given: McpResourceMetadata | string, place) => {
  if (!isObject(given)) return resourceUrl.read(given, place);
  readValues(given, RESOURCE_METADATA, place);
  return given;
});

/** Options for the authentication of callers. The guards of the routes run in addition. */
export type McpAuthOptions = McpBearerAuthOptions | McpOidcAuthOptions;

/**
 * Bearer authentication of the endpoint with your own function. The guards of the routes run in
 * addition.
 */
export interface McpBearerAuthOptions {
  /** The scheme of the `Authorization` header. */
  readonly type: 'bearer';
  /**
   * Checks the token of every request. Return false or throw to reject the request with HTTP 401.
   * Requests without a token are always rejected with 401, and this function is not called. If
   * tokens expire, return the principal instead of true. Sessions are then bound to the principal's
   * id instead of the `Authorization` header.
   */
  readonly validate: (
    token: string,
    request: McpRequest,
  ) => boolean | McpPrincipal | Promise<boolean | McpPrincipal>;
  /**
   * Metadata that tells clients where to get a token (RFC 9728). If you set an object, the
   * application serves the object at the well-known paths. If you set a URL, the document must be
   * served at this URL. `WWW-Authenticate` contains the URL of the metadata.
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
 * contains the claims of the token, and its `id` is `{iss}#{sub}`. The guards of the routes run in
 * addition.
 */
export interface McpOidcAuthOptions {
  /** Selects authentication with tokens of a provider. */
  readonly type: 'oidc';
  /**
   * Issuer URL of the provider, exactly as in the claim `iss` of the tokens. The provider's
   * metadata must be at a well-known path of RFC 8414 or OpenID Connect. The metadata contains the
   * URL of the provider's keys. The metadata is read when the first token arrives, not at startup.
   */
  readonly issuer: string;
  /**
   * Required audience: the claim `aud` of a token must contain this value. If you set a list, one
   * of its values is enough. Prefer the URL of the endpoint, because MCP clients request tokens for
   * this URL (RFC 8707).
   */
  readonly audience: string | readonly string[];
  /**
   * URL of the provider's keys (JWK Set). Needed if the provider has no metadata.
   * @default `jwks_uri` of the metadata
   */
  readonly jwksUri?: string;
  /**
   * Accepted signature algorithms. They must be asymmetric.
   * @default RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA, Ed25519
   */
  readonly algorithms?: readonly string[];
  /**
   * Set this to accept only tokens whose `typ` is `at+jwt` (RFC 9068). ID tokens are then rejected.
   * @default `at+jwt`, `JWT` or no `typ`
   */
  readonly typ?: 'at+jwt';
  /** Accepted clock difference in milliseconds for the times in tokens. @default 30_000 */
  readonly clockToleranceMs?: number;
  /**
   * Milliseconds for which the provider's keys are cached. A revoked key is accepted until the
   * cache expires. If a token has an unknown key id, the keys are loaded again, at most once in 30
   * seconds.
   * @default 600_000
   */
  readonly keyCacheMs?: number;
  /**
   * Scopes that every token must have. If a scope is missing, the client gets HTTP 403 and can
   * request the scopes.
   * @default none
   */
  readonly requiredScopes?: readonly string[];
  /**
   * Returns the scopes of a token from its claims. Set this if the provider uses another claim,
   * such as `permissions`.
   * @default the scopes in `scope` and `scp`, as string or list
   */
  readonly scopesOf?: (claims: Readonly<Record<string, unknown>>) => readonly string[];
  /**
   * Metadata fields (RFC 9728). They are added to the default fields, or replace them. If no
   * audience is a URL, you must set `resource`. If you set a URL instead of fields, the document
   * must be served at this URL. By default, `resource` is the first audience that is a URL,
   * `authorization_servers` contains the issuer, and `resource_name` is the name of the server.
   * @default derived from the other options
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
