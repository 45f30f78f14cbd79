import { once } from 'node:events';
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Controller, Get, type INestApplication } from '@nestjs/common';
import { exportJWK, generateKeyPair } from 'jose';
import { McpCall, McpModule, McpTool } from '../../src/index.js';
import { OauthBridgeModule, type OauthBridgeOptions } from '../../src/oauth-bridge/index.js';
import { createApp, type Platform } from '../../../../test/support/platforms.js';
import { freePort, type Running, start } from '../../../../test/support/processes.js';
import { BrowserJar } from '../support/browser-jar.js';

const SECRET = 'a secret with at least thirty-two bytes';

@Controller('who')
class WhoController {
  constructor(private readonly mcp: McpCall) {}

  @Get()
  @McpTool({ name: 'who', description: 'Tells who calls', scopes: ['tasks.read'] })
  who() {
    const { principal } = this.mcp;
    return { id: principal?.id, email: principal?.['email'] };
  }
}

/** A provider without registration, at which one client is registered by hand. */
export async function startUpstream(redirect: string): Promise<{ url: string; running: Running }> {
  const port = await freePort();
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const key = { ...(await exportJWK(privateKey)), kid: 'up', alg: 'RS256', use: 'sig' };
  const env = { PORT: String(port), KEYS: JSON.stringify({ keys: [key] }), REDIRECT: redirect };
  const running = start(process.execPath, ['libs/mcp/test/oidc/provider.mjs'], env);
  await running.until(/listening/);
  return { url: `http://127.0.0.1:${port}`, running };
}

/** An application with a bridge at `/oauth`, whose endpoint takes the tokens of the bridge. */
export async function startBridge(
  { adapter }: Platform,
  port: number,
  upstream: string,
  options: Partial<OauthBridgeOptions> = {},
): Promise<INestApplication> {
  const issuer = `http://127.0.0.1:${port}/oauth`;
  const endpoint = `http://127.0.0.1:${port}/_mcp/messages`;
  const app = await createApp(
    {
      imports: [
        McpModule.forRoot({
          name: 'tasks',
          sessions: { max: 100 },
          auth: { type: 'oidc', issuer, audience: endpoint },
        }),
        OauthBridgeModule.forRoot({
          issuer,
          resources: [endpoint],
          scopes: ['tasks.read'],
          secrets: [SECRET],
          upstream: {
            name: 'Example Hub',
            issuer: upstream,
            clientId: 'bridge',
            clientSecret: 'bridge-secret',
            identify: (_tokens, idToken) =>
              idToken?.['sub'] === 'mallory'
                ? undefined
                : {
                    id: String(idToken?.['sub']),
                    name: `${String(idToken?.['sub'])} <b>`,
                    claims: { email: 'ada@example.com', sub: 'root', scope: 'all' },
                  },
          },
          ...options,
        }),
      ],
      controllers: [WhoController],
    },
    adapter(),
  );
  await app.listen(port, '127.0.0.1');
  return app;
}

/** What a client does, step by step, so that a test can do it wrongly. */
export class HandClient {
  readonly verifier = randomBytes(32).toString('base64url');
  id = '';

  constructor(
    readonly issuer: string,
    readonly redirect = 'http://127.0.0.1:7777/callback',
  ) {}

  register(metadata: object = {}): Promise<Response> {
    return fetch(`${this.issuer}/reg`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client_name: 'Hand <script>',
        redirect_uris: [this.redirect],
        token_endpoint_auth_method: 'none',
        ...metadata,
      }),
    });
  }

  /** The URL that the client opens in a browser. */
  async authorization(parameters: Record<string, string | undefined> = {}): Promise<URL> {
    if (this.id === '') {
      const { client_id } = (await (await this.register()).json()) as { client_id: string };
      this.id = client_id;
    }
    const url = new URL(`${this.issuer}/auth`);
    const all = {
      client_id: this.id,
      response_type: 'code',
      redirect_uri: this.redirect,
      scope: 'tasks.read offline_access',
      state: 'client-state',
      code_challenge: createHash('sha256').update(this.verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...parameters,
    };
    for (const [name, value] of Object.entries(all)) {
      if (value !== undefined) url.searchParams.set(name, value);
    }
    return url;
  }

  async token(form: Record<string, string>, issuer = this.issuer) {
    const answer = await fetch(`${issuer}/token`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: this.id, ...form }),
    });
    return {
      status: answer.status,
      body: (await answer.json()) as Record<string, string>,
    };
  }

  exchange(code: string, changes: Record<string, string> = {}) {
    return this.token({
      grant_type: 'authorization_code',
      code,
      redirect_uri: this.redirect,
      code_verifier: this.verifier,
      ...changes,
    });
  }

  refresh(token: string | undefined, issuer = this.issuer) {
    return this.token({ grant_type: 'refresh_token', refresh_token: token ?? '' }, issuer);
  }

  revoke(token: string | undefined, issuer = this.issuer): Promise<Response> {
    return fetch(`${issuer}/token/revocation`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: this.id, token: token ?? '' }),
    });
  }
}

/** Logs a person in at the upstream provider. Returns the URL at which it sends the browser back to the bridge. */
export async function upstreamLogin(jar: BrowserJar, url: URL, person: string): Promise<URL> {
  const isBack = (next: URL) => next.pathname === '/oauth/interaction/callback';
  let { url: at, response } = await jar.follow(url, isBack);
  for (let i = 0; i < 3 && !isBack(at); i++) {
    const html = await response.text();
    const action = /action="([^"]+)"/.exec(html)?.[1] ?? '';
    const prompt = /name="prompt" value="(\w+)"/.exec(html)?.[1] ?? '';
    const form = { prompt, login: person, password: 'x' };
    ({ url: at, response } = await jar.follow(action, isBack, form));
  }
  return at;
}

/** The page that asks for consent, after a login. */
export async function toConsent(jar: BrowserJar, authorization: URL, person: string) {
  const back = await upstreamLogin(jar, authorization, person);
  const { response } = await jar.follow(back);
  return { back, html: await response.text(), status: response.status };
}

/** Presses a button of the page that asks for consent. Returns where the browser is sent then. */
export async function press(jar: BrowserJar, origin: string, html: string, button: string) {
  const action = new RegExp(`action="([^"]*/${button}[^"]*)"`).exec(html)?.[1] ?? '';
  const isClient = (next: URL) => next.pathname === '/callback';
  return jar.follow(`${origin}${action.replaceAll('&#38;', '&')}`, isClient, {});
}

/** Counts connections to a port of this machine. */
export async function trap(): Promise<{ port: number; connections: () => number; server: Server }> {
  let count = 0;
  const server = createServer().listen(0, '127.0.0.1');
  server.on('connection', () => count++);
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, connections: () => count, server };
}
