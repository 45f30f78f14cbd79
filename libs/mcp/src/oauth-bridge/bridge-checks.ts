import { refuseUnknownOptions, type KnownOptions } from '@fledge/core/packages';
import { McpOptionError } from '../mcp.errors.js';
import { scopesFault } from '../options/principal-check.js';
import { MemoryBridgeStore, type OauthBridgeStore } from './bridge-store.js';
import type { OauthBridgeOptions, UpstreamOptions } from './oauth-bridge.options.js';

/** The options after every default is applied. */
export interface ResolvedBridge {
  readonly issuer: string;
  /** Where the bridge is mounted: the path of the issuer. */
  readonly path: string;
  readonly resources: readonly [string, ...string[]];
  readonly scopes: readonly string[];
  readonly upstream: UpstreamOptions & { readonly scopes: readonly string[] };
  readonly secrets: readonly string[];
  readonly store: OauthBridgeStore;
  readonly isInMemory: boolean;
  readonly accessTokenTtlMs: number;
  readonly refreshTokenTtlMs: number;
}

const UPSTREAM: KnownOptions<UpstreamOptions> = {
  name: true,
  issuer: true,
  endpoints: { known: { authorization: true, token: true } },
  clientId: true,
  clientSecret: true,
  scopes: true,
  parameters: true,
  identify: true,
};

const KNOWN: KnownOptions<OauthBridgeOptions> = {
  issuer: true,
  resources: true,
  scopes: true,
  upstream: { known: UPSTREAM },
  secrets: true,
  store: true,
  accessTokenTtlMs: true,
  refreshTokenTtlMs: true,
};

const SECRET_BYTES = 32;

/** @throws McpOptionError for an unknown option or an invalid value */
export function resolveBridgeOptions(options: OauthBridgeOptions): ResolvedBridge {
  refuseUnknownOptions(options, KNOWN, 'OauthBridgeModule.forRoot', McpOptionError);
  const { store, accessTokenTtlMs = 900_000 } = options;
  const { refreshTokenTtlMs = 2_592_000_000 } = options;
  return {
    ...issuerOf(options),
    resources: resourcesOf(options),
    scopes: scopesIn('scopes', options.scopes ?? []),
    upstream: upstreamOf(options),
    secrets: secretsOf(options),
    store: store ?? new MemoryBridgeStore(),
    isInMemory: store === undefined,
    accessTokenTtlMs: atLeastASecond('accessTokenTtlMs', accessTokenTtlMs),
    refreshTokenTtlMs: atLeastASecond('refreshTokenTtlMs', refreshTokenTtlMs),
  };
}

function bad(option: string, expected: string): McpOptionError {
  return new McpOptionError(`OauthBridgeModule.forRoot({ ${option} }) must be ${expected}.`);
}

function isUrl(url: unknown): url is string {
  return typeof url === 'string' && /^https?:\/\//.test(url) && URL.canParse(url);
}

function issuerOf({ issuer }: OauthBridgeOptions): Pick<ResolvedBridge, 'issuer' | 'path'> {
  const expected =
    "the public URL of the bridge with a path, such as 'https://api.example.com/oauth'";
  if (!isUrl(issuer)) throw bad('issuer', expected);
  const { origin, pathname: path, protocol, hostname } = new URL(issuer);
  if (`${origin}${path}` !== issuer || !/^(\/[\w.~-]+)+$/.test(path)) throw bad('issuer', expected);
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  if (protocol !== 'https:' && !isLocal) throw bad('issuer', 'an https URL, except on localhost');
  return { issuer, path };
}

function resourcesOf({ resources }: OauthBridgeOptions): readonly [string, ...string[]] {
  const [first, ...others] = Array.isArray(resources) ? (resources as readonly unknown[]) : [];
  if (isUrl(first) && others.every(isUrl)) return [first, ...others];
  throw bad(
    'resources',
    "URLs of MCP endpoints, such as ['https://api.example.com/_mcp/messages']",
  );
}

function upstreamOf({ upstream }: OauthBridgeOptions): ResolvedBridge['upstream'] {
  for (const name of ['name', 'clientId', 'clientSecret'] as const) {
    if (typeof upstream?.[name] !== 'string' || upstream[name] === '') {
      throw bad(`upstream.${name}`, 'a text');
    }
  }
  const { issuer, endpoints, identify } = upstream;
  if (issuer === undefined && endpoints === undefined) {
    throw bad('upstream.issuer', 'set, or else upstream.endpoints');
  }
  if (issuer !== undefined && !isUrl(issuer)) throw bad('upstream.issuer', 'an absolute URL');
  if (endpoints && !(isUrl(endpoints.authorization) && isUrl(endpoints.token))) {
    throw bad('upstream.endpoints', '{ authorization, token } with absolute URLs');
  }
  const scopes = scopesIn('upstream.scopes', upstream.scopes ?? (endpoints ? [] : ['openid']));
  if (identify === undefined && !scopes.includes('openid')) {
    throw bad(
      'upstream.identify',
      'a function, because without the scope openid there is no ID token',
    );
  }
  return { ...upstream, scopes };
}

/** In a text, a scope would be found as a part of another one. */
function scopesIn(option: string, scopes: readonly string[]): readonly string[] {
  if (scopesFault(scopes) === undefined) return scopes;
  throw bad(option, "a list of strings, such as ['openid', 'profile']");
}

function secretsOf({ secrets }: OauthBridgeOptions): readonly string[] {
  const all: readonly unknown[] = Array.isArray(secrets) ? secrets : [];
  const isLong = (each: unknown) =>
    typeof each === 'string' && Buffer.byteLength(each) >= SECRET_BYTES;
  if (all.length > 0 && all.every(isLong)) return secrets;
  throw bad('secrets', `a list of texts with at least ${SECRET_BYTES} bytes each`);
}

function atLeastASecond(option: string, ms: number): number {
  if (Number.isSafeInteger(ms) && ms >= 1_000) return ms;
  throw bad(option, 'a whole number of at least 1000');
}
