import type { IncomingMessage, ServerResponse } from 'node:http';
import { importPeer } from '@fledge/core/packages';
import {
  Inject,
  Injectable,
  Logger,
  type OnModuleInit,
  ServiceUnavailableException,
} from '@nestjs/common';
import { type AbstractHttpAdapter, ApplicationConfig, HttpAdapterHost } from '@nestjs/core';
import { McpOptionError, MissingPeerError } from '../mcp.errors.js';
import { Accounts } from './upstream-accounts.js';
import { authorizationServer } from './authorization-server.js';
import type { ResolvedBridge } from './bridge-checks.js';
import { Interactions, show } from './interactions.js';
import type { UpstreamTokens } from './oauth-bridge.options.js';
import { errorPage } from './login-pages.js';
import { Sealer } from './sealer.js';
import { SigningKeys } from './signing-keys.js';
import { UpstreamLogin } from './upstream-login.js';

/** Injection token of `ResolvedBridge`. */
export const BRIDGE_OPTIONS = Symbol('BRIDGE_OPTIONS');

type Handler = (request: MountedRequest, response: ServerResponse) => void;
/** The platform removes the mount path from `url`, and keeps the complete path in `originalUrl`. */
type MountedRequest = IncomingMessage & { originalUrl?: string };

/** The parts of a bridge after startup. */
interface Running {
  readonly keys: SigningKeys;
  readonly accounts: Accounts;
  readonly interactions: Interactions;
  readonly provide: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
}

/**
 * The authorization server for MCP clients of this application. Inject it to read tokens of the
 * upstream provider.
 */
@Injectable()
export class OauthBridge implements OnModuleInit {
  private readonly logger = new Logger('OauthBridgeModule');
  private running: Promise<Running> | undefined;

  constructor(
    @Inject(BRIDGE_OPTIONS) private readonly options: ResolvedBridge,
    host: HttpAdapterHost,
    private readonly config: ApplicationConfig,
  ) {
    // The bridge is mounted before the body parser. The body parser would read the forms of the
    // token endpoint.
    host.init$.subscribe(() => this.mount(host.httpAdapter));
  }

  /**
   * Returns a user's tokens of the upstream provider. With these tokens, you can call the
   * provider's API for the user. Do not send the tokens to clients.
   * @param sub of the principal: `McpCall.principal?.['sub']`
   * @returns undefined if the user never logged in, or if the tokens expired after
   * `refreshTokenTtlMs`
   * @throws ServiceUnavailableException if the store cannot be read
   */
  async upstreamTokensOf(sub: string): Promise<UpstreamTokens | undefined> {
    try {
      const { accounts } = await this.started();
      return (await accounts.find(sub))?.tokens;
    } catch (cause) {
      throw new ServiceUnavailableException(
        'The tokens of the provider cannot be read at present',
        {
          cause,
        },
      );
    }
  }

  /**
   * @throws MissingPeerError if oidc-provider or openid-client is not installed
   * @throws McpOptionError if the bridge would handle all requests to the application's routes
   */
  async onModuleInit(): Promise<void> {
    refuseWholeApplication(this.options.path, this.config.getGlobalPrefix());
    if (this.options.isInMemory) {
      this.logger.warn(
        'Clients and logins are stored in memory, for development: they are lost at a restart, and not shared between ' +
          'processes. Set OauthBridgeModule.forRoot({ store: redisBridgeStore({ client }) }).',
      );
    }
    await this.started().catch((error: unknown) => {
      if (error instanceof MissingPeerError) throw error;
      this.logger.error(
        'The store of the OAuth bridge cannot be read. Until it can be read, logins are rejected ' +
          `with status 503: ${String(error)}`,
      );
    });
  }

  /** Starts the bridge. If the store was unavailable, the next request tries again. */
  private started(): Promise<Running> {
    this.running ??= this.start().catch((error: unknown) => {
      this.running = undefined;
      throw error;
    });
    return this.running;
  }

  /**
   * Returns the parts that handle a request. Creates the parts again if the keys in the store have
   * changed. This happens if the store was emptied and another process then created keys.
   */
  private async runningFor(path: string): Promise<Running> {
    const running = this.started();
    if (path !== '/token' && path !== '/jwks') return running;
    const { keys } = await running;
    const check = keys.areStored();
    // While the store is unavailable, the public keys are served from memory, but tokens cannot be
    // checked.
    if (await (path === '/jwks' ? check.catch(() => true) : check)) return running;
    if (this.running === running) this.running = undefined;
    return this.started();
  }

  private async start(): Promise<Running> {
    const { options } = this;
    const { store, secrets, issuer, upstream, refreshTokenTtlMs } = options;
    const jose = await import('jose');
    const oidc = await peer('oidc-provider', () => import('oidc-provider'));
    const client = await peer('openid-client', () => import('openid-client'));
    const sealer = new Sealer(jose, secrets);
    const accounts = new Accounts(store, sealer, refreshTokenTtlMs);
    const keys = await SigningKeys.load(jose, store, sealer);
    const provider = authorizationServer({ oidc, options, accounts, jwks: keys.jwks });
    const login = new UpstreamLogin(client, upstream, `${issuer}/interaction/callback`);
    return {
      keys,
      accounts,
      interactions: new Interactions(provider, options, accounts, login),
      provide: provider.callback(),
    };
  }

  private mount(adapter: AbstractHttpAdapter): void {
    const { path } = this.options;
    adapter.use(
      path,
      this.handler((request) => request.originalUrl ?? request.url ?? '/'),
    );
    // RFC 8414 §3.1 inserts the well-known part before the path of the issuer.
    for (const name of ['oauth-authorization-server', 'openid-configuration']) {
      adapter.use(
        `/.well-known/${name}${path}`,
        this.handler(() => `${path}/.well-known/${name}`),
      );
    }
  }

  private handler(urlOf: (request: MountedRequest) => string): Handler {
    return (request, response) => {
      this.handle(request, response, urlOf(request)).catch((error: unknown) => {
        const details = error instanceof Error ? error.stack : error;
        this.logger.error('The OAuth bridge could not handle a request', details);
        if (response.headersSent) response.destroy();
        else answerUnavailable(request.url, response);
      });
    };
  }

  private async handle(
    request: MountedRequest,
    response: ServerResponse,
    originalUrl: string,
  ): Promise<void> {
    const { issuer, path } = this.options;
    const { host, protocol } = new URL(issuer);
    // URLs in documents and redirects are built from the issuer, not from request headers.
    Object.assign(request.headers, {
      'x-forwarded-host': host,
      'x-forwarded-proto': protocol.slice(0, -1),
    });
    request.headers.host = host;
    request.originalUrl = originalUrl;
    const rest = originalUrl.slice(path.length);
    request.url = rest.startsWith('/') ? rest : `/${rest}`;
    const url = new URL(originalUrl, issuer);
    const step = url.pathname.slice(path.length);
    const { interactions, provide } = await this.runningFor(step);
    if (/^\/interaction(\/|$)/.test(step)) return interactions.handle(request, response, url);
    return provide(request, response);
  }
}

/** Sends a page if a person opened the URL, and otherwise an error that OAuth clients can read. */
function answerUnavailable(path: string | undefined, response: ServerResponse): void {
  response.setHeader('retry-after', '5');
  if (/^\/(auth|interaction)\b/.test(path ?? '')) {
    return show(response, 503, errorPage('Try again later', 'The login is currently unavailable.'));
  }
  const error = 'temporarily_unavailable';
  response.writeHead(503, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify({ error, error_description: 'Try again later.' }));
}

function peer<T>(name: string, load: () => Promise<T>): Promise<T> {
  return importPeer(name, load, (cause) => new MissingPeerError(name, 'OauthBridgeModule', cause));
}

/** @throws McpOptionError if all routes are below the path of the bridge */
function refuseWholeApplication(path: string, prefix: string): void {
  const routes = `/${prefix.replace(/^\/+|\/+$/g, '')}/`;
  if (!routes.startsWith(`${path}/`)) return;
  throw new McpOptionError(
    `OauthBridgeModule.forRoot({ issuer }) has the path ${path}, which contains the global prefix, so the bridge would ` +
      `handle every request to the application. Use a path of its own, such as '/oauth'.`,
  );
}
