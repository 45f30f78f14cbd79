import type { CallerTenantFinder } from '@fledge/core/packages';
import type { ScopeRunner } from '../scope/scope-runner.js';
import type { TenantRequest } from '../tenant.options.js';
import type { TenantFinder } from './find-tenant.js';

/** Finds the tenant of a message for which a route later gets another request. */
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
