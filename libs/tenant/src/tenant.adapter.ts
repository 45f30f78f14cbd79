import {
  type Introspectable,
  IntrospectionRegistry,
  type IntrospectionSnapshot,
  type RequestContext,
} from '@fledge/core';
import {
  CallerHeaders,
  CallerTenants,
  RequestContexts,
  RequestRevocations,
} from '@fledge/core/packages';
import { Inject, Injectable } from '@nestjs/common';
import { TenantDirectory } from './directory/tenant-directory.js';
import { listTenantHeaders } from './identify/create-sources.js';
import { TenantFinder } from './requests/find-tenant.js';
import { TenantGate } from './requests/tenant-gate.js';
import { TenantMetrics } from './requests/tenant-metrics.js';
import { TenantsOfCallers } from './requests/tenants-of-callers.js';
import { ScopeRunner } from './scope/scope-runner.js';
import { TenantResources } from './scope/tenant-resources.js';
import { scopeOfRequest } from './scope/tenant-scope.js';
import { TENANT_OPTIONS } from './tenant-tokens.js';
import type { ResolvedTenantOptions } from './tenant.defaults.js';
import { UnknownTenantError } from './tenant.errors.js';

/** State and counters of `TenantModule`: `app.get(TenantAdapter).introspect()`. */
@Injectable()
export class TenantAdapter implements Introspectable {
  readonly name = 'TenantAdapter';

  constructor(
    @Inject(TENANT_OPTIONS) private readonly options: ResolvedTenantOptions,
    private readonly directory: TenantDirectory,
    private readonly metrics: TenantMetrics,
    private readonly resources: TenantResources,
    private readonly finder: TenantFinder,
    gate: TenantGate,
    contexts: RequestContexts,
    callerHeaders: CallerHeaders,
    callerTenants: CallerTenants,
    runner: ScopeRunner,
    introspection: IntrospectionRegistry,
    revocations: RequestRevocations,
  ) {
    contexts.register(gate);
    listTenantHeaders(options).forEach((name) => callerHeaders.add(name));
    callerTenants.use(new TenantsOfCallers(finder, runner));
    introspection.register(this);
    directory.onInvalidate((tenantId) =>
      revocations.announce((ctx) => refusalAfterChange(ctx, tenantId, directory)),
    );
  }

  introspect(): IntrospectionSnapshot {
    return {
      protocolVersion: 1,
      name: this.name,
      kind: 'adapter',
      state: {
        strategy: this.finder.names.join(', '),
        mode: this.options.mode,
      },
      metrics: {
        ...this.metrics,
        byTenant: Object.fromEntries(this.metrics.byTenant),
        ...this.directory.metrics,
        ...this.resources.metrics,
      },
    };
  }
}

/**
 * Looks up the tenant of a running request again. Returns the error that ends the request, or
 * undefined if the request may continue. Never rejects.
 * @param changed the id or an identifier of the invalidated tenant. If undefined, all tenants are
 * invalidated
 */
async function refusalAfterChange(
  ctx: RequestContext,
  changed: string | undefined,
  directory: TenantDirectory,
): Promise<unknown> {
  const scope = scopeOfRequest(ctx);
  if (scope?.kind !== 'tenant') return undefined;
  const { tenantId, identifier = tenantId, source = 'run' } = scope.tenant;
  const isMeant = changed === undefined || changed === tenantId || changed === identifier;
  if (!isMeant) return undefined;
  try {
    const now = await directory.find(identifier, source);
    // The identifier now belongs to another tenant. The request belongs to the previous tenant.
    return now.tenantId === tenantId ? undefined : new UnknownTenantError();
  } catch (error) {
    return error;
  }
}
