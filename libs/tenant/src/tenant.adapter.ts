import {
  type Introspectable,
  IntrospectionRegistry,
  type IntrospectionSnapshot,
} from '@fledge/core';
import { CallerHeaders, RequestContexts, RequestRevocations } from '@fledge/core/packages';
import { Inject, Injectable } from '@nestjs/common';
import { TenantDirectory } from './directory/tenant-directory.js';
import { TenantGate } from './requests/tenant-gate.js';
import { refusalAfterChange } from './requests/refusal-after-change.js';
import { TenantMetrics } from './requests/tenant-metrics.js';
import { TenantResources } from './scope/tenant-resources.js';
import { nameOfFunction } from './identify/function-source.js';
import { headerNamesOf } from './identify/sources.js';
import type { ResolvedTenantOptions } from './tenant.defaults.js';
import type { AnyTenantStrategy } from './tenant.options.js';
import { TENANT_OPTIONS } from './tenant-tokens.js';

/** State and counters of `TenantModule`: `app.get(TenantAdapter).introspect()`. */
@Injectable()
export class TenantAdapter implements Introspectable {
  readonly name = 'TenantAdapter';

  constructor(
    @Inject(TENANT_OPTIONS) private readonly options: ResolvedTenantOptions,
    private readonly directory: TenantDirectory,
    private readonly metrics: TenantMetrics,
    private readonly resources: TenantResources,
    gate: TenantGate,
    contexts: RequestContexts,
    callerHeaders: CallerHeaders,
    introspection: IntrospectionRegistry,
    revocations: RequestRevocations,
  ) {
    contexts.register(gate);
    headerNamesOf(options).forEach((name) => callerHeaders.add(name));
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
        strategy: [this.options.strategy].flat().map(nameOf).join(', '),
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

function nameOf(strategy: AnyTenantStrategy): string {
  if (typeof strategy === 'string') return strategy;
  if (typeof strategy === 'function') return nameOfFunction(strategy);
  return strategy.type === 'function' ? strategy.name : strategy.type;
}
