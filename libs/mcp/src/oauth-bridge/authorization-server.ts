import { Logger } from '@nestjs/common';
import type { JWK } from 'jose';
import type { Configuration, KoaContextWithOIDC, Provider, ResourceServer } from 'oidc-provider';
import type { Accounts } from './upstream-accounts.js';
import type { ResolvedBridge } from './bridge-checks.js';
import { clientRulesOf } from './client-rules.js';
import { mayFetchDocument } from './client-document-guard.js';
import { errorPage, PAGE_HEADERS } from './login-pages.js';
import { ProviderAdapter } from './provider-adapter.js';
import { cookieKeysOf } from './sealer.js';

type Oidc = typeof import('oidc-provider');

interface Parts {
  readonly oidc: Oidc;
  readonly options: ResolvedBridge;
  readonly accounts: Accounts;
  readonly jwks: { keys: JWK[] };
}

/** Claims that the authorization server sets. The application cannot override them. */
const OWN_CLAIMS = new Set([
  'iss',
  'sub',
  'aud',
  'exp',
  'nbf',
  'iat',
  'jti',
  'scope',
  'client_id',
  'cnf',
]);

/** Lifetimes in seconds. */
const TTL = { code: 60, interaction: 600, session: 86_400 };

/** The authorization server for MCP clients: oidc-provider, set up for MCP 2026-07-28. */
export function authorizationServer(parts: Parts): Provider {
  const { oidc, options } = parts;
  const provider = new oidc.Provider(options.issuer, configurationOf(parts));
  // The handler sets the forwarded headers itself, based on the issuer, so clients cannot fake
  // them.
  provider.proxy = true;
  const logger = new Logger('OauthBridgeModule');
  provider.on('server_error', (_ctx, error) => logger.error(error.message, error.stack));
  provider.use(async (ctx, next) => {
    await next();
    // A failure here is caused by the store or the network, so clients should try again.
    if (ctx.status !== 500) return;
    ctx.status = 503;
    ctx.set('retry-after', '5');
  });
  return provider;
}

function configurationOf(parts: Parts): Configuration {
  const { oidc, options, jwks } = parts;
  const { path, scopes, secrets } = options;
  return {
    ...clientRulesOf(oidc),
    ...accountsOf(parts),
    adapter: (kind: string) => new ProviderAdapter(kind, options, oidc.errors.InvalidGrant),
    jwks,
    cookies: {
      keys: cookieKeysOf(secrets),
      names: {
        interaction: 'fledge_oauth_interaction',
        resume: 'fledge_oauth_resume',
        session: 'fledge_oauth_session',
      },
      long: { httpOnly: true, sameSite: 'lax', signed: true, path },
      short: { httpOnly: true, sameSite: 'lax', signed: true },
    },
    features: { ...FEATURES, resourceIndicators: resourceIndicatorsOf(oidc, options) },
    pkce: { required: () => true },
    responseTypes: ['code'],
    scopes: ['openid', 'offline_access', ...scopes],
    interactions: { policy: policyOf(oidc), url: () => `${path}/interaction` },
    async loadExistingGrant(ctx) {
      const id = consentOf(ctx);
      return id === undefined ? undefined : ctx.oidc.provider.Grant.find(id);
    },
    // By default, the tokens would end with the browser session, or at the client's next login.
    expiresWithSession: () => false,
    issueRefreshToken: (_ctx, client) => Promise.resolve(client.grantTypeAllowed('refresh_token')),
    rotateRefreshToken: true,
    renderError(ctx, out) {
      ctx.set(PAGE_HEADERS);
      ctx.body = errorPage('Authorization failed', out.error_description ?? out.error);
    },
    ttl: ttlOf(options),
  };
}

/** Finds users by id, and returns their claims for access tokens. */
function accountsOf({ accounts }: Parts): Configuration {
  return {
    async findAccount(ctx, id) {
      const issuesTokens = ctx.oidc.route === 'token';
      const account = await (issuesTokens ? accounts.keep(id) : accounts.find(id));
      return account && { accountId: id, claims: () => ({ sub: id }) };
    },
    async extraTokenClaims(_ctx, token) {
      const { accountId } = token as { accountId?: string };
      const account = accountId === undefined ? undefined : await accounts.find(accountId);
      const claims = Object.entries(account?.user.claims ?? {});
      return Object.fromEntries(claims.filter(([name]) => !OWN_CLAIMS.has(name)));
    },
  };
}

/**
 * The default steps, and a step that asks for consent in each request. This step also runs if the
 * client requests no scopes, or if the user consented before.
 */
function policyOf({ interactionPolicy: { base, Check } }: Oidc) {
  const policy = base();
  policy
    .get('consent')
    ?.checks.add(
      new Check(
        'consent_each_time',
        'the person must consent',
        (ctx) => consentOf(ctx) === undefined,
      ),
    );
  return policy;
}

function ttlOf({ accessTokenTtlMs, refreshTokenTtlMs }: ResolvedBridge): Configuration['ttl'] {
  const refreshSeconds = Math.ceil(refreshTokenTtlMs / 1_000);
  return {
    // The lifetime of tokens without a resource. `getResourceServerInfo` returns the lifetime of
    // tokens with a resource.
    AccessToken: Math.floor(accessTokenTtlMs / 1_000),
    IdToken: TTL.code,
    AuthorizationCode: TTL.code,
    Interaction: TTL.interaction,
    Session: TTL.session,
    Grant: refreshSeconds,
    RefreshToken: refreshSeconds,
  };
}

const FEATURES: NonNullable<Configuration['features']> = {
  devInteractions: { enabled: false },
  registration: { enabled: true },
  registrationManagement: { enabled: false },
  clientIdMetadataDocument: {
    enabled: true,
    ack: 'draft-02',
    allowFetch: (_ctx, clientId) => mayFetchDocument(clientId),
  },
  revocation: { enabled: true },
  rpInitiatedLogout: { enabled: false },
  userinfo: { enabled: false },
};

/** Returns the grant that the user confirmed in this request. Earlier grants are ignored. */
function consentOf(ctx: KoaContextWithOIDC): string | undefined {
  const { consent } = (ctx.oidc.result ?? {}) as { consent?: { grantId?: string } };
  return consent?.grantId;
}

function resourceIndicatorsOf(oidc: Oidc, options: ResolvedBridge) {
  const { resources, scopes, accessTokenTtlMs } = options;
  return {
    enabled: true,
    // Used for clients that request a token without the parameter `resource`.
    defaultResource: () => resources[0],
    useGrantedResource: () => true,
    getResourceServerInfo(_ctx: KoaContextWithOIDC, indicator: string): ResourceServer {
      const audience = resources.find((each) => new URL(each).href === new URL(indicator).href);
      if (audience === undefined) throw new oidc.errors.InvalidTarget();
      return {
        audience,
        scope: scopes.join(' '),
        accessTokenFormat: 'jwt',
        accessTokenTTL: Math.floor(accessTokenTtlMs / 1_000),
        jwt: { sign: { alg: 'ES256' } },
      };
    },
  };
}
