import { Inject, Injectable, Logger, Optional } from '@nestjs/common';
import { Refusal } from '../../requests/refusal.js';
import { runInScope } from '../../scope/run-in-scope.js';
import { currentScope, NO_TENANT, setScope } from '../../scope/tenant-scope.js';
import { ScopeRunner } from '../../scope/scope-runner.js';
import type { ResolvedTenantOptions } from '../../tenant.defaults.js';
import { TenantHttpError, TenantNotResolvedError } from '../../tenant.errors.js';
import type { TenantRouteMode } from '../../tenant.options.js';
import { TENANT_OPTIONS } from '../../tenant-tokens.js';
import {
  MICROSERVICES_OPTIONS,
  type TenantMicroservicesOptions,
} from './tenant-microservices.options.js';

/** Runs the handler of each message for the tenant in the message's metadata. */
@Injectable()
export class MessageScopes {
  private readonly logger = new Logger('TenantMicroservices');
  private readonly mode: TenantRouteMode;

  constructor(
    @Inject(TENANT_OPTIONS) options: ResolvedTenantOptions,
    @Optional() @Inject(MICROSERVICES_OPTIONS) own: TenantMicroservicesOptions | undefined,
    private readonly runner: ScopeRunner,
    private readonly refusal: Refusal,
  ) {
    this.mode = own?.mode ?? options.mode;
  }

  /**
   * Looks up the tenant of a message, and calls `handle` in the tenant's scope. If the tenant is
   * rejected, calls `refuse` instead, with an error that the sender may see.
   * @param owner an argument of the handler. No other message may use this object
   */
  async handle(
    metadata: unknown,
    owner: unknown,
    handle: () => unknown,
    refuse: (error: unknown) => unknown,
  ): Promise<unknown> {
    let begun = false;
    const begin = () => {
      begun = true;
      // Needed because the guard of nestjs-cls starts an empty store.
      if (typeof owner === 'object' && owner !== null) setScope(owner, currentScope() ?? NO_TENANT);
      return handle();
    };
    try {
      if (this.mode === 'central') {
        return await runInScope({ kind: 'central', reason: 'a message' }, begin);
      }
      const tenant = await this.runner.tenantFrom(metadata);
      if (tenant !== undefined) return await this.runner.run(tenant, begin);
      if (this.mode === 'tenant') throw new TenantNotResolvedError();
      return await runInScope(NO_TENANT, begin);
    } catch (reason) {
      if (begun) throw reason;
      const error = this.refusal.shownErrorOf(reason);
      // A resource of the tenant failed, for example its connection.
      if (!(error instanceof TenantHttpError)) this.logger.error(error);
      return refuse(error);
    }
  }

  /** The sender of an event waits for no response, so the sender gets no error. */
  logDropped(event: string, error: unknown): void {
    const reason =
      error instanceof TenantHttpError ? `${error.code}: ${error.message}` : 'See the error above';
    this.logger.warn(`The event "${event}" was dropped. ${reason}.`);
  }
}
