import type { IncomingMessage, ServerResponse } from 'node:http';
import { Logger } from '@nestjs/common';
import type { Provider } from 'oidc-provider';
import type { Accounts } from './upstream-accounts.js';
import type { ResolvedBridge } from './bridge-checks.js';
import { consentPage, errorPage, PAGE_HEADERS, readableName } from './login-pages.js';
import type { LoginState, UpstreamLogin } from './upstream-login.js';

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

/** Milliseconds that a user has to log in at the upstream provider. */
const LOGIN_TTL_MS = 600_000;

/** Maximum characters of an application name on a page. */
const MAX_NAME = 100;

/**
 * Serves the pages between a client's authorization request and its response: login at the upstream
 * provider, then consent. Each step must happen in the browser in which the login started. A signed
 * cookie of oidc-provider guarantees this.
 */
export class Interactions {
  private readonly logger = new Logger('OauthBridgeModule');

  constructor(
    private readonly provider: Provider,
    private readonly options: ResolvedBridge,
    private readonly accounts: Accounts,
    private readonly upstream: UpstreamLogin,
  ) {}

  /** @param url path below `/interaction`, and its query string */
  async handle(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const step = `${request.method} ${url.pathname.slice(`${this.options.path}/interaction`.length)}`;
    let interaction: Interaction;
    try {
      interaction = await this.provider.interactionDetails(request, response);
    } catch (error) {
      if ((error as Error).name !== 'SessionNotFound') throw error;
      return show(response, 400, errorPage('Start again', EXPIRED));
    }
    if (step === 'GET ') return this.begin(interaction, response);
    if (step === 'GET /callback') return this.loggedIn(interaction, request, response, url);
    if (step === 'POST /approve' || step === 'POST /deny') {
      // The cookie belongs to the newest request of this browser. The page may belong to an older
      // request.
      if (
        url.searchParams.get('uid') !== interaction.uid ||
        interaction.prompt.name !== 'consent'
      ) {
        return show(response, 400, errorPage('Start again', EXPIRED));
      }
      return step === 'POST /deny'
        ? this.finish(request, response, DENIED)
        : this.approve(interaction, request, response);
    }
    return show(response, 404, errorPage('Not found', 'There is no such page.'));
  }

  private async begin(interaction: Interaction, response: ServerResponse): Promise<void> {
    if (interaction.prompt.name === 'consent') return this.askConsent(interaction, response);
    const { url, login } = await this.upstream.start();
    await this.options.store.set(loginKey(interaction), JSON.stringify(login), LOGIN_TTL_MS);
    response.writeHead(303, { location: url.href, 'cache-control': 'no-store' }).end();
  }

  private async loggedIn(
    interaction: Interaction,
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
  ): Promise<void> {
    const { store } = this.options;
    const key = loginKey(interaction);
    const text = await store.get(key);
    if (text === undefined || interaction.prompt.name !== 'login') {
      return show(response, 400, errorPage('Start again', EXPIRED));
    }
    await store.delete(key);
    const account = await this.upstream
      .finish(url.search, JSON.parse(text) as LoginState)
      .catch((error: unknown) => {
        this.logger.warn(`A login at ${this.options.upstream.name} failed: ${String(error)}`);
      });
    if (!account) return this.finish(request, response, DENIED);
    await this.accounts.save(account);
    return this.finish(request, response, { login: { accountId: account.user.id } });
  }

  private async askConsent(interaction: Interaction, response: ServerResponse): Promise<void> {
    const { params, session, uid } = interaction;
    const clientId = String(params['client_id']);
    const { scope } = params;
    const requested = typeof scope === 'string' ? scope.split(' ') : [];
    const client = await this.provider.Client.find(clientId);
    const account = await this.accounts.find(session?.accountId ?? '');
    if (!client || !account) return show(response, 400, errorPage('Start again', EXPIRED));
    const { user } = account;
    const body = consentPage({
      uid,
      clientId,
      clientName: (readableName(client.clientName) ?? clientId).slice(0, MAX_NAME),
      redirectUri: String(params['redirect_uri']),
      scopes: this.options.scopes.filter((scope) => requested.includes(scope)),
      userName: readableName(user.name) ?? user.id,
      upstreamName: this.options.upstream.name,
      path: this.options.path,
    });
    return show(response, 200, body);
  }

  private async approve(
    { params, session, prompt }: Interaction,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { details } = prompt as {
      details: {
        missingOIDCScope?: string[];
        missingResourceScopes?: Readonly<Record<string, string[]>>;
      };
    };
    const grant = new this.provider.Grant({
      accountId: session?.accountId as string,
      clientId: String(params['client_id']),
    });
    if (details.missingOIDCScope) grant.addOIDCScope(details.missingOIDCScope.join(' '));
    for (const [resource, scopes] of Object.entries(details.missingResourceScopes ?? {})) {
      grant.addResourceScope(resource, scopes.join(' '));
    }
    return this.finish(request, response, { consent: { grantId: await grant.save() } });
  }

  private finish(
    request: IncomingMessage,
    response: ServerResponse,
    result: Parameters<Provider['interactionFinished']>[2],
  ): Promise<void> {
    return this.provider.interactionFinished(request, response, result, {
      mergeWithLastSubmission: !('error' in result),
    });
  }
}

const EXPIRED =
  'This login has expired or was started in another browser. Connect again in your application.';

const DENIED = { error: 'access_denied', error_description: 'Access was denied' };

function loginKey({ uid }: Interaction): string {
  return `login:${uid}`;
}

/** Sends a page. */
export function show(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { ...PAGE_HEADERS, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
