import type { OauthBridgeStore } from './bridge-store.js';

/** Tokens of the upstream provider. They are never sent to clients. */
export interface UpstreamTokens {
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
  /** Milliseconds since 1970. Undefined if the provider does not return an expiry. */
  readonly expiresAt?: number | undefined;
}

/** The person who logged in upstream. */
export interface UpstreamUser {
  /** Stable id of the person at the provider, such as the number of a GitHub account. */
  readonly id: string;
  /** Name shown on the consent page. @default the id */
  readonly name?: string | undefined;
  /** Claims to add to the access tokens, such as `{ email }`. @default none */
  readonly claims?: Readonly<Record<string, unknown>> | undefined;
}

/** The provider at which people log in, and the single client that you registered there. */
export interface UpstreamOptions {
  /** Name of the provider, shown to users: `GitHub`. */
  readonly name: string;
  /**
   * Issuer URL. Its metadata (OpenID Connect) is read at the first login. If `endpoints` is set,
   * nothing is read.
   * @default the origin of `endpoints.authorization`
   */
  readonly issuer?: string;
  /**
   * Endpoints of a provider without metadata.
   * @default the endpoints in the metadata of `issuer`
   */
  readonly endpoints?: { readonly authorization: string; readonly token: string };
  /**
   * Id of the client registered at the provider, with `{issuer}/interaction/callback` as its
   * redirect.
   */
  readonly clientId: string;
  /** Secret of that client. */
  readonly clientSecret: string;
  /** Scopes to request. @default none if `endpoints` is set, else `openid` */
  readonly scopes?: readonly string[];
  /** Parameters to add to the authorization request. @default none */
  readonly parameters?: Readonly<Record<string, string>>;
  /**
   * Returns the user of the tokens, or undefined to deny access. Required without OpenID Connect.
   * @param idToken claims of the ID token, verified; undefined without `openid`
   * @default `sub` of the ID token
   */
  readonly identify?: (
    tokens: UpstreamTokens,
    idToken: Readonly<Record<string, unknown>> | undefined,
  ) => UpstreamUser | undefined | Promise<UpstreamUser | undefined>;
}

/** Options of `OauthBridgeModule.forRoot()`. */
export interface OauthBridgeOptions {
  /**
   * Public URL of the bridge and issuer of its tokens, such as `https://api.example.com/oauth`. The
   * bridge is mounted at the path of this URL. A global prefix does not apply.
   */
  readonly issuer: string;
  /**
   * URLs of the MCP endpoints for which tokens are issued. Use the same values as `audience` in
   * their `auth`.
   */
  readonly resources: readonly string[];
  /** Scopes that clients may request, such as the scopes of your tools. @default none */
  readonly scopes?: readonly string[];
  readonly upstream: UpstreamOptions;
  /**
   * Secrets of at least 32 bytes. The first secret encrypts stored data and signs cookies. All
   * secrets decrypt and verify, so you can rotate them. When tokens are issued, the data of the
   * user is encrypted again with the first secret.
   */
  readonly secrets: readonly string[];
  /**
   * The store of clients, grants and tokens, such as `redisBridgeStore({ client })`. The default is
   * for development. Its data is lost at a restart, and is not shared between processes.
   * @default the memory of this process
   */
  readonly store?: OauthBridgeStore;
  /** Lifetime of an access token in milliseconds. @default 900_000 */
  readonly accessTokenTtlMs?: number;
  /**
   * Milliseconds after which an unused refresh token is deleted. The upstream tokens of the user
   * are then deleted too.
   * @default 2_592_000_000 (30 days)
   */
  readonly refreshTokenTtlMs?: number;
  /**
   * Milliseconds for which a replaced refresh token still works. Two processes of a client may
   * refresh at the same time, and a response may be lost. After this time, a replaced token ends
   * the login (RFC 9700 §4.14.2). 0 ends the login at the second use.
   * @default 60_000
   */
  readonly refreshTokenReuseMs?: number;
}
