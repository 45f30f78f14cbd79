import type { Configuration } from 'openid-client';
import type { Account } from './upstream-accounts.js';
import type { ResolvedBridge } from './bridge-checks.js';
import type { UpstreamTokens } from './oauth-bridge.options.js';

type Client = typeof import('openid-client');

/** The state of a login. Keep it until the browser returns from the provider. */
export interface LoginState {
  readonly state: string;
  readonly verifier: string;
  readonly nonce: string;
}

/**
 * Logs a user in at the upstream provider: authorization code with PKCE and state, plus a nonce
 * with OpenID Connect.
 */
export class UpstreamLogin {
  private configuration: Promise<Configuration> | undefined;

  constructor(
    private readonly client: Client,
    private readonly options: ResolvedBridge['upstream'],
    private readonly redirectUri: string,
  ) {}

  /** Returns the URL for the browser, and the state to keep until the browser returns. */
  async start(): Promise<{ readonly url: URL; readonly login: LoginState }> {
    const { client, options, redirectUri } = this;
    const login = {
      state: client.randomState(),
      verifier: client.randomPKCECodeVerifier(),
      nonce: client.randomNonce(),
    };
    const url = client.buildAuthorizationUrl(await this.configured(), {
      ...options.parameters,
      redirect_uri: redirectUri,
      scope: options.scopes.join(' '),
      state: login.state,
      code_challenge: await client.calculatePKCECodeChallenge(login.verifier),
      code_challenge_method: 'S256',
      ...(this.isOpenId && { nonce: login.nonce }),
    });
    return { url, login };
  }

  /**
   * Returns the user who logged in, or undefined if access is denied.
   * @param query query string of the callback, with `?`
   * @throws Error if the callback does not match this login, or if the provider rejects the code
   */
  async finish(query: string, login: LoginState): Promise<Account | undefined> {
    const { client, options, redirectUri } = this;
    const answer = await client.authorizationCodeGrant(
      await this.configured(),
      new URL(redirectUri + query),
      {
        pkceCodeVerifier: login.verifier,
        expectedState: login.state,
        ...(this.isOpenId && { expectedNonce: login.nonce, idTokenExpected: true }),
      },
    );
    const seconds = answer.expiresIn();
    const tokens: UpstreamTokens = {
      accessToken: answer.access_token,
      refreshToken: answer.refresh_token,
      expiresAt: seconds === undefined ? undefined : Date.now() + seconds * 1_000,
    };
    const claims = answer.claims();
    const user = options.identify
      ? await options.identify(tokens, claims)
      : claims && { id: claims.sub };
    if (user === undefined) return undefined;
    if (typeof user.id !== 'string' || user.id === '')
      throw new Error('upstream.identify must return a user whose `id` is a non-empty string');
    return { user, tokens };
  }

  private get isOpenId(): boolean {
    return this.options.scopes.includes('openid');
  }

  private configured(): Promise<Configuration> {
    this.configuration ??= this.configure().catch((error: unknown) => {
      this.configuration = undefined;
      throw error;
    });
    return this.configuration;
  }

  private async configure(): Promise<Configuration> {
    const { client, options } = this;
    const { issuer, endpoints, clientId, clientSecret } = options;
    if (endpoints === undefined) {
      const execute = issuer?.startsWith('http:') ? [client.allowInsecureRequests] : [];
      const url = new URL(String(issuer));
      return client.discovery(url, clientId, clientSecret, undefined, { execute });
    }
    const { authorization, token } = endpoints;
    const server = {
      issuer: issuer ?? new URL(authorization).origin,
      authorization_endpoint: authorization,
      token_endpoint: token,
    };
    const configuration = new client.Configuration(server, clientId, clientSecret);
    if (token.startsWith('http:')) client.allowInsecureRequests(configuration);
    return configuration;
  }
}
