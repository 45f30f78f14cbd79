import type { OauthBridgeStore } from './bridge-store.js';

/** Tokens of the upstream provider. They stay in this application. */
export interface UpstreamTokens {
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
  /** Milliseconds since 1970. Undefined if the provider does not say. */
  readonly expiresAt?: number | undefined;
}

/** The person who logged in upstream. */
export interface UpstreamUser {
  /** Stable id of the person at the provider, such as the number of a GitHub account. */
  readonly id: string;
  /** Shown on the page that asks for consent. @default the id */
  readonly name?: string | undefined;
  /** Claims to add to the access tokens, such as `{ email }`. @default none */
  readonly claims?: Readonly<Record<string, unknown>> | undefined;
}

/** The provider at which people log in, with the one client that is registered there. */
export interface UpstreamOptions {
  /** Name of the provider, shown to people: `GitHub`. */
  readonly name: string;
  /**
   * Issuer URL. Its metadata (OpenID Connect) is read with the first login. With `endpoints` nothing is read.
   * @default with `endpoints`: the origin of `authorization`
   */
  readonly issuer?: string;
  /** Its endpoints, if it has no metadata. @default those of the metadata of `issuer` */
  readonly endpoints?: { readonly authorization: string; readonly token: string };
  /** Id of the client that is registered there, with `{issuer}/interaction/callback` as its redirect. */
  readonly clientId: string;
  /** Secret of that client. */
  readonly clientSecret: string;
  /** Scopes to request. @default none with `endpoints`, else `openid` */
  readonly scopes?: readonly string[];
  /** Parameters to add to the authorization request. @default none */
  readonly parameters?: Readonly<Record<string, string>>;
  /**
   * Returns the person to whom tokens belong, or undefined to deny access. Required without OpenID Connect.
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
   * Public URL of the bridge, which is the issuer of its tokens. Its path is where the bridge is mounted:
   * `https://api.example.com/oauth`. A global prefix does not apply.
   */
  readonly issuer: string;
  /** URLs of the MCP endpoints for which tokens are issued: the `audience` of their `auth`. */
  readonly resources: readonly string[];
  /** Scopes that clients may request, such as those of your tools. @default none */
  readonly scopes?: readonly string[];
  readonly upstream: UpstreamOptions;
  /**
   * Secrets of at least 32 bytes. The first one encrypts what is stored and signs cookies. The others decrypt and
   * verify, so that a secret can be replaced.
   */
  readonly secrets: readonly string[];
  /**
   * Where clients, grants and tokens are stored, such as `redisBridgeStore({ client })`.
   * @default in memory, for development: lost at a restart, and of one process
   */
  readonly store?: OauthBridgeStore;
  /** Milliseconds for which an access token is valid. @default 900_000 */
  readonly accessTokenTtlMs?: number;
  /** Milliseconds after its last use after which a refresh token, and the upstream tokens, are removed. @default 2_592_000_000 (30 days) */
  readonly refreshTokenTtlMs?: number;
}
