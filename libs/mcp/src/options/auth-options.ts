/** The HTTP request that carried an MCP message. */
export interface McpRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** IP address of the peer, from the socket. */
  readonly remoteAddress: string | undefined;
  /** What `auth.validate` returned. Undefined if it returned true, while it runs, and without `auth`. */
  readonly principal: McpPrincipal | undefined;
  /** Path of the endpoint, such as `/_mcp/messages`. */
  readonly endpoint: string;
}

/** The caller that a token identifies. Additional members are passed to the route unchanged. */
export interface McpPrincipal {
  /** Stable id of the caller. A session continues when the token is renewed for the same id. */
  readonly id: string;
  /** OAuth scopes of the token, which tools, resources and prompts may require. @default none */
  readonly scopes?: readonly string[];
  readonly [claim: string]: unknown;
}

/**
 * Metadata of a protected resource, with the member names of RFC 9728 §2. If omitted,
 * `bearer_methods_supported` is `['header']` and `scopes_supported` lists the scopes of everything
 * published.
 */
export interface McpResourceMetadata {
  /** Identifier of the resource: the URL that tokens are issued for, such as `https://api.example.com`. */
  readonly resource: string;
  /** Issuer URLs of the authorization servers. */
  readonly authorization_servers: readonly string[];
  readonly scopes_supported?: readonly string[];
  readonly [member: string]: unknown;
}

/** Bearer authentication of the endpoint. The guards of the routes run in addition. */
export interface McpAuthOptions {
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
