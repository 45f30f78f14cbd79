import {
  atLeast,
  callback,
  filledText,
  group,
  groupIfGiven,
  isObject,
  kind,
  type OptionTable,
  type Place,
  readOptions,
  type ReadOptions,
  rule,
} from '@fledge-internal/options';
import { placeOf, scopes } from '../options/option-rules.js';
import { MemoryBridgeStore, type OauthBridgeStore } from './bridge-store.js';
import type { OauthBridgeOptions, UpstreamOptions } from './oauth-bridge.options.js';

const SECRET_BYTES = 32;

const url = kind<string>('an absolute URL', isUrl);
const filled = filledText('a string');
const ttl = atLeast(1_000);

type Endpoints = NonNullable<UpstreamOptions['endpoints']>;
const ENDPOINTS = {
  authorization: url.required,
  token: url.required,
} satisfies OptionTable<Endpoints>;

const UPSTREAM = {
  name: filled.required,
  issuer: url.optional,
  endpoints: groupIfGiven<Endpoints, typeof ENDPOINTS>(ENDPOINTS),
  clientId: filled.required,
  clientSecret: filled.required,
  scopes: scopes.optional,
  parameters: kind<NonNullable<UpstreamOptions['parameters']>>('an object', isObject).optional,
  identify: callback<NonNullable<UpstreamOptions['identify']>>().optional,
} satisfies OptionTable<UpstreamOptions>;

const OPTIONS = {
  issuer: rule((given: string, place) => {
    const must =
      "the public URL of the bridge with a path, such as 'https://api.example.com/oauth'";
    if (!isUrl(given)) throw place.wrong(given, must);
    const { origin, pathname, protocol, hostname } = new URL(given);
    if (`${origin}${pathname}` !== given || !/^(\/[\w.~-]+)+$/.test(pathname)) {
      throw place.wrong(given, must);
    }
    const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
    if (protocol === 'https:' || isLocal) return given;
    throw place.wrong(given, 'an https URL, except on localhost');
  }),
  resources: rule((given: readonly string[], place): readonly [string, ...string[]] => {
    const [first, ...others] = Array.isArray(given) ? (given as readonly unknown[]) : [];
    if (isUrl(first) && others.every(isUrl)) return [first, ...others];
    throw place.error(
      "must be a list of URLs of MCP endpoints, such as ['https://api.example.com/_mcp/messages']",
    );
  }),
  scopes: scopes.default([]),
  upstream: group<UpstreamOptions, typeof UPSTREAM>(UPSTREAM),
  // The error message must not contain the secrets.
  secrets: rule((given: readonly string[], place) => {
    const all: readonly unknown[] = Array.isArray(given) ? given : [];
    if (all.length > 0 && all.every(isLong)) return given;
    throw place.error(`must be a list of strings with at least ${SECRET_BYTES} bytes each`);
  }),
  store: kind<OauthBridgeStore>('a store, such as redisBridgeStore({ client })', isObject).optional,
  accessTokenTtlMs: ttl.default(900_000),
  refreshTokenTtlMs: ttl.default(2_592_000_000),
  refreshTokenReuseMs: atLeast(0).default(60_000),
} satisfies OptionTable<OauthBridgeOptions>;

/**
 * The options after every default is applied. Each property is declared here, because `OauthBridge`
 * makes this type public.
 */
export interface ResolvedBridge {
  readonly issuer: string;
  /** Mount path of the bridge: the path of the issuer. */
  readonly path: string;
  readonly resources: readonly [string, ...string[]];
  readonly scopes: readonly string[];
  readonly upstream: ResolvedUpstream;
  readonly secrets: readonly string[];
  readonly store: OauthBridgeStore;
  readonly isInMemory: boolean;
  readonly accessTokenTtlMs: number;
  readonly refreshTokenTtlMs: number;
  readonly refreshTokenReuseMs: number;
}

type ResolvedUpstream = {
  readonly [Name in keyof Required<UpstreamOptions>]: UpstreamOptions[Name];
} & { readonly scopes: readonly string[] };

/** @throws McpOptionError for an unknown option or an invalid value */
export function resolveBridgeOptions(options: OauthBridgeOptions): ResolvedBridge {
  const place = placeOf('OauthBridgeModule.forRoot');
  const read = readOptions(options, OPTIONS, place);
  const { origin, pathname: path } = new URL(read.issuer);
  const inside = read.resources.find((resource) => `${resource}/`.startsWith(`${origin}${path}/`));
  if (inside !== undefined) {
    throw place
      .at('issuer')
      .error(
        `must not contain the endpoint ${inside}, because the bridge handles every request below ` +
          "its path. Use a path of its own, such as '/oauth'",
      );
  }
  return {
    ...read,
    path,
    upstream: resolveUpstream(read.upstream, place.at('upstream')),
    store: read.store ?? new MemoryBridgeStore(),
    isInMemory: read.store === undefined,
  };
}

function resolveUpstream(read: ReadOptions<typeof UPSTREAM>, place: Place): ResolvedUpstream {
  const { issuer, endpoints, identify } = read;
  if (issuer === undefined && endpoints === undefined) {
    throw place.at('issuer').error('must be set, unless upstream.endpoints is set');
  }
  const requested = read.scopes ?? (endpoints ? [] : ['openid']);
  if (identify === undefined && !requested.includes('openid')) {
    throw place
      .at('identify')
      .error(
        'must be a function, because `upstream.scopes` does not contain "openid", so the ' +
          'provider returns no ID token',
      );
  }
  return { ...read, scopes: requested };
}

function isUrl(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value);
}

function isLong(secret: unknown): boolean {
  return typeof secret === 'string' && Buffer.byteLength(secret) >= SECRET_BYTES;
}
