import {
  PanelSources,
  type PanelTenants,
  RequestContexts,
  type PanelTenantQuestion,
} from '@fledge/core/packages';
import { Inject, Injectable } from '@nestjs/common';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { type RememberedTenant, TenantDirectory } from '../directory/tenant-directory.js';
import { TenantFinder } from '../requests/find-tenant.js';
import { TenantMetrics } from '../requests/tenant-metrics.js';
import { TenantResources } from '../scope/tenant-resources.js';
import { TENANT_OPTIONS } from '../tenant-tokens.js';
import type { ResolvedTenantOptions } from '../tenant.defaults.js';
import type { TenantRequest } from '../tenant.options.js';

@Injectable()
export class TenantPanelSource {
  constructor(
    @Inject(TENANT_OPTIONS) private readonly options: ResolvedTenantOptions,
    private readonly directory: TenantDirectory,
    private readonly finder: TenantFinder,
    private readonly metrics: TenantMetrics,
    private readonly resources: TenantResources,
    panel: PanelSources,
    contexts: RequestContexts,
  ) {
    panel.register('tenant', () => ({
      tenants: () => this.tenants(),
      ask: (question) => {
        const request = describedRequest(question);
        // The application's strategies may read the request context.
        return contexts.runUnopened(request, () => finder.explain(request));
      },
    }));
  }

  private tenants(): PanelTenants {
    const { options, directory } = this;
    return {
      strategies: this.finder.names,
      combine: options.combine,
      verifies: options.verify !== undefined,
      known: knownTenants(directory.remembered(), this.metrics.byTenant),
      refused: this.refused(),
    };
  }

  private refused(): PanelTenants['refused'] {
    const { invalid, mismatch } = this.metrics;
    const { unknown, suspended, maintenance, provisioning, unavailable } = this.directory.metrics;
    const counts = {
      // TENANT_AMBIGUOUS is included, because malformed and ambiguous tenants are counted together.
      TENANT_INVALID: invalid,
      TENANT_UNKNOWN: unknown,
      TENANT_SUSPENDED: suspended,
      TENANT_MAINTENANCE: maintenance,
      TENANT_PROVISIONING: provisioning,
      TENANT_MISMATCH: mismatch,
      TENANT_STORE_UNAVAILABLE: unavailable,
      TENANT_CONNECTIONS_BUSY: this.resources.budget?.metrics.timedOut ?? 0,
    };
    return Object.entries(counts)
      .filter(([, count]) => count > 0)
      .map(([code, count]) => ({ code, count }));
  }
}

const MOST_TENANTS = 200;

/** Cached tenants first, then the most recently used tenants. Each tenant occurs once. */
function knownTenants(
  cached: readonly RememberedTenant[],
  requests: TenantMetrics['byTenant'],
): PanelTenants['known'] {
  const ids = new Set(cached.map(({ id }) => id));
  const others = [...requests.keys()].filter((id) => !ids.has(id)).map((id) => ({ id }));
  // If a tenant has several identifiers, each has a cache entry.
  const once = new Map([...cached, ...others].map((tenant) => [tenant.id, tenant]));
  return [...once.values()].slice(0, MOST_TENANTS).map((tenant) => ({
    ...tenant,
    // `peek` is used, because displaying a tenant must not count as use.
    requests: requests.peek(tenant.id) ?? 0,
  }));
}

/** The request counts as a local request. */
function describedRequest(question: PanelTenantQuestion): TenantRequest {
  const { method = 'GET', path = '/', host, headers = {} } = question;
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: '127.0.0.1' });
  const request = new IncomingMessage(socket);
  request.method = method;
  request.url = path;
  const sent = { ...(host !== undefined && { host }), ...headers };
  for (const [name, value] of Object.entries(sent)) {
    request.headers[name.toLowerCase()] = value;
    request.rawHeaders.push(name, value);
  }
  const query = Object.fromEntries(new URLSearchParams(path.replace(/^[^?]*/, '')));
  return Object.assign(request, { originalUrl: path, query }) as unknown as TenantRequest;
}
