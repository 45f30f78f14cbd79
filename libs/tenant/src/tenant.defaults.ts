import { type ResolvedIdentifierRule, identifierRuleOf } from './identify/identifier.js';
import { checkedMode, refuseUnclearSwitches, refuseUnknownTenantOptions } from './known-options.js';
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
 * Checks the options and applies the defaults. `identificationOf` checks the options of strategies.
 * @throws TenantOptionError
 */
export function resolveTenantOptions(
  options: TenantAdapterOptions | undefined,
): ResolvedTenantOptions {
  // JavaScript callers may pass anything, and an async factory may return undefined.
  if (typeof options !== 'object') {
    throw new TenantOptionError(
      "TenantModule has no options. Set how requests name their tenant: forRoot({ strategy: 'header' }).",
    );
  }
  refuseUnknownTenantOptions(options);
  refuseUnclearSwitches(options);
  requireList('subdomain.baseDomains', options.subdomain?.baseDomains);
  requireList('subdomain.reserved', options.subdomain?.reserved);
  requireList('path.reserved', options.path?.reserved);
  const mode = checkedMode(options.mode ?? 'tenant', 'TenantModule.forRoot');
  if (options.onTenantNotFound !== undefined && typeof options.onTenantNotFound !== 'function') {
    throw new TenantOptionError('TenantModule.forRoot({ onTenantNotFound }) must be a function.');
  }
  if (options.verify !== undefined && typeof options.verify.principal !== 'function') {
    throw new TenantOptionError(
      'TenantModule.forRoot({ verify }) needs principal: (req) => the tenant of the authenticated user.',
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

/** JavaScript callers may pass one string instead of a list. */
function requireList(option: string, value: unknown): void {
  if (value === undefined || Array.isArray(value)) return;
  throw new TenantOptionError(
    `TenantModule.forRoot({ ${option} }) must be a list, such as ['example.com'].`,
  );
}
