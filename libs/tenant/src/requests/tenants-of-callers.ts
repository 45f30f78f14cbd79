import type { CallerTenantFinder } from '@fledge/core/packages';
import type { ScopeRunner } from '../scope/scope-runner.js';
import type { TenantRequest } from '../tenant.options.js';
import type { TenantFinder } from './find-tenant.js';

/** Tells other packages the tenant of a message that becomes a request of its own. */
export class TenantsOfCallers implements CallerTenantFinder {
  constructor(
    private readonly finder: TenantFinder,
    private readonly runner: ScopeRunner,
  ) {}

  identify(request: TenantRequest): ReturnType<TenantFinder['identify']> {
    return this.finder.identify(request);
  }

  async run<T>(request: TenantRequest, run: () => Promise<T>): Promise<T> {
    const scope = await this.finder.findAgain(request);
    return scope.kind === 'tenant' ? this.runner.run(scope.tenant, run) : run();
  }
}
