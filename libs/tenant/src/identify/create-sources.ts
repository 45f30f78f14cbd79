import { isDeepStrictEqual } from 'node:util';
import { readOptions } from '@fledge-internal/options';
import { placeOf } from '../option-rules.js';
import { TenantOptionError } from '../tenant.errors.js';
import type { AnyTenantStrategy, TenantPathOptions, TenantStrategyDef } from '../tenant.options.js';
import type { IdentifierSource } from './identifier-source.js';
import { functionSource, nameFunction } from './function-source.js';
import { parseHeaderName, headerSource } from './header-source.js';
import {
  IDENTIFY,
  type IdentifyOptions,
  type ResolvedSubdomainOptions,
} from './identify-options.js';
import { pathSource } from './path-source.js';
import { querySource } from './query-source.js';
import { subdomainSource } from './subdomain-source.js';

/** @throws TenantOptionError */
export function createSources(options: IdentifyOptions): IdentifierSource[] {
  const definitions = listDefinitions(options);
  const sources = definitions.map((definition) => sourceOf(definition, options));
  requireDifferent(definitions);
  return sources;
}

/** Returns true if the strategy `header` is used, but nobody may send the header. */
export function ignoresHeader(options: IdentifyOptions): boolean {
  const { header } = options.trust;
  const isNobody = header === false || (Array.isArray(header) && header.length === 0);
  return isNobody && listDefinitions(options).some(({ type }) => type === 'header');
}

/** @throws TenantOptionError if two strategies are equal */
function requireDifferent(definitions: readonly StrategyDefinition[]): void {
  const comparable = definitions.map((definition) =>
    definition.type === 'header'
      ? { ...definition, header: parseHeaderName(definition.header) }
      : definition,
  );
  const second = comparable.find((definition, i) =>
    comparable.slice(0, i).some((earlier) => isDeepStrictEqual(earlier, definition)),
  );
  if (second === undefined) return;
  throw new TenantOptionError(
    `The option \`strategy\` of TenantModule contains the strategy "${second.type === 'function' ? second.name : second.type}" ` +
      'twice with equal settings. Remove one of them, or give it other settings.',
  );
}

/** Returns the options that differ from their defaults, but are not read by any strategy. */
export function listUnusedOptions(options: IdentifyOptions): string[] {
  const types = new Set(listDefinitions(options).map(({ type }) => type));
  const plain = readOptions(
    { strategy: options.strategy },
    IDENTIFY,
    placeOf('TenantModule.forRoot'),
  );
  const readers = [
    ['header', 'header', ({ header }: IdentifyOptions) => header],
    ['subdomain', 'subdomain', ({ subdomain }: IdentifyOptions) => subdomain],
    ['path', 'path', ({ path }: IdentifyOptions) => path],
    ['queryParam', 'query', ({ queryParam }: IdentifyOptions) => queryParam],
    ['trust.header', 'header', ({ trust }: IdentifyOptions) => trust.header],
    ['trust.forwardedHost', 'subdomain', ({ trust }: IdentifyOptions) => trust.forwardedHost],
  ] as const;
  return readers
    .filter(([, type, read]) => !types.has(type) && !isDeepStrictEqual(read(options), read(plain)))
    .map(([name]) => name);
}

/** In lower case. Tool calls forward these headers. */
export function listTenantHeaders(options: IdentifyOptions): string[] {
  const names = listDefinitions(options).flatMap((definition) =>
    definition.type === 'header' ? [parseHeaderName(definition.header)] : [],
  );
  return [...new Set(names)];
}

/** In lower case. Omits the host, because the keys of caches already contain it. */
export function listVaryHeaders(options: IdentifyOptions): string[] {
  const readsForwarded =
    options.trust.forwardedHost &&
    listDefinitions(options).some(({ type }) => type === 'subdomain');
  return [...listTenantHeaders(options), ...(readsForwarded ? ['x-forwarded-host'] : [])];
}

export function listPathOptions(options: IdentifyOptions): Required<TenantPathOptions>[] {
  return listDefinitions(options).filter((definition) => definition.type === 'path');
}

/** The module's options replace missing options of the strategy. */
export type StrategyDefinition =
  | { readonly type: 'header'; readonly header: string }
  | { readonly type: 'query'; readonly queryParam: string }
  | ({ readonly type: 'subdomain' } & ResolvedSubdomainOptions)
  | ({ readonly type: 'path' } & Required<TenantPathOptions>)
  | Extract<TenantStrategyDef, { readonly type: 'function' }>;

/** @throws TenantOptionError */
export function listDefinitions(options: IdentifyOptions): StrategyDefinition[] {
  const strategies = [options.strategy].flat() as readonly AnyTenantStrategy[];
  if (strategies.length === 0) throw unknownStrategy('an empty list');
  return strategies.map((strategy) => definitionOf(strategy, options));
}

function definitionOf(strategy: AnyTenantStrategy, options: IdentifyOptions): StrategyDefinition {
  if (typeof strategy === 'function') {
    return { type: 'function', name: nameFunction(strategy), resolve: strategy };
  }
  const own: TenantStrategyDef = typeof strategy === 'string' ? { type: strategy } : strategy;
  switch (own?.type) {
    case 'header':
      return { type: 'header', header: own.header ?? options.header };
    case 'query':
      return { type: 'query', queryParam: own.queryParam ?? options.queryParam };
    case 'subdomain':
      return { ...options.subdomain, ...definedIn(own) };
    case 'path':
      return { ...options.path, ...definedIn(own) };
    case 'function':
      return own;
    default:
      throw unknownStrategy(JSON.stringify(strategy));
  }
}

function sourceOf(definition: StrategyDefinition, { trust }: IdentifyOptions): IdentifierSource {
  switch (definition.type) {
    case 'header':
      return headerSource(definition.header, trust.header);
    case 'query':
      return querySource(definition.queryParam);
    case 'subdomain':
      return subdomainSource(definition, trust.forwardedHost ? 'forwarded' : 'host');
    case 'path':
      return pathSource(definition);
    case 'function':
      return functionSource(definition.name, definition.resolve);
  }
}

/** JavaScript code may set an option to undefined. */
function definedIn<T extends object>(given: T): T {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as T;
}

function unknownStrategy(given: string): TenantOptionError {
  return new TenantOptionError(
    `The option \`strategy\` of TenantModule is ${given}. Pass "header", "subdomain", "path", "query", a ` +
      `function (req) => identifier, an object such as { type: "header", header: "x-org" }, or a ` +
      `list of these.`,
  );
}
