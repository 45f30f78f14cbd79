import { type ResolvedIdentifierRule, identifierRuleOf } from './identify/identifier.js';
import { refuseUnclearSwitches, refuseUnknownOptions } from './known-options.js';
import { TenantOptionError } from './tenant.errors.js';
import type { TenantAdapterOptions, TenantRouteMode } from './tenant.options.js';

/** The options with every default applied. */
export interface ResolvedTenantOptions extends TenantAdapterOptions {
  readonly header: string;
  readonly queryParam: string;
  readonly mode: TenantRouteMode;
  readonly identifier: ResolvedIdentifierRule;
  readonly errors: NonNullable<TenantAdapterOptions['errors']>;
  readonly hooks: NonNullable<TenantAdapterOptions['hooks']>;
}

/**
 * Applies every default, once. What belongs to a strategy is checked where strategies are compiled.
 * @throws TenantOptionError
 */
export function resolveTenantOptions(
  options: TenantAdapterOptions | undefined,
): ResolvedTenantOptions {
  // Applications in JavaScript may give anything, and a factory nothing.
  if (typeof options !== 'object') {
    throw new TenantOptionError(
      "TenantModule has no options. Say how a request tells its tenant: forRoot({ strategy: 'header' }).",
    );
  }
  refuseUnknownOptions(options);
  refuseUnclearSwitches(options);
  refuseText('subdomain.baseDomains', options.subdomain?.baseDomains);
  refuseText('subdomain.reserved', options.subdomain?.reserved);
  refuseText('path.reserved', options.path?.reserved);
  const mode = options.mode ?? 'tenant';
  if (!['tenant', 'universal', 'central'].includes(mode)) {
    throw new TenantOptionError(
      `TenantModule.forRoot({ mode }) is ${JSON.stringify(mode)}, but must be 'tenant', 'universal' or 'central'.`,
    );
  }
  for (const name of ['onTenantNotFound'] as const) {
    if (options[name] === undefined || typeof options[name] === 'function') continue;
    throw new TenantOptionError(`TenantModule.forRoot({ ${name} }) must be a function.`);
  }
  if (options.verify !== undefined && typeof options.verify.principal !== 'function') {
    throw new TenantOptionError(
      'TenantModule.forRoot({ verify }) needs principal: (req) => the tenant of whoever is authenticated.',
    );
  }
  return {
    ...options,
    header: options.header ?? 'x-tenant-id',
    queryParam: options.queryParam ?? 'tenant',
    mode,
    identifier: identifierRuleOf(options.identifier),
    errors: options.errors ?? {},
    hooks: options.hooks ?? {},
  };
}

function refuseText(option: string, value: unknown): void {
  if (value === undefined || Array.isArray(value)) return;
  throw new TenantOptionError(
    `TenantModule.forRoot({ ${option} }) must be a list, such as ['example.com'].`,
  );
}
