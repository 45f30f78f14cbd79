import { BullRegistrar, WorkerHost } from '@nestjs/bullmq';
import { Global, Module, type OnModuleInit, Optional } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { FlowProducer, Queue, type Worker } from 'bullmq';
import { requireTenantModule } from '../../require-tenant-module.js';
import { Tenancy } from '../../scope/tenancy.js';
import { TenantOptionError } from '../../tenant.errors.js';
import { JobScopes } from './job-scopes.js';
import { stampFlowProducer, stampQueue } from './job-stamps.js';

/**
 * Processes each BullMQ job for the tenant that added the job. Import the module once, next to
 * `TenantModule` and the queues of `@nestjs/bullmq`.
 *
 * @example
 * ```ts
 * imports: [TenantModule.forRoot({ strategy: 'header' }), BullModule.registerQueue({ name: 'mail' }), TenantBullModule]
 * ```
 */
// Global, because Nest initializes global modules first. Jobs that another module adds in
// onModuleInit must also get a tenant.
@Global()
@Module({ imports: [DiscoveryModule] })
export class TenantBullModule implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    @Optional() private readonly tenancy: Tenancy,
    // Must exist before this module, because it starts the workers in onModuleInit.
    @Optional() registrar: BullRegistrar,
  ) {
    requireTenantModule(tenancy, 'TenantBullModule');
    if ((registrar as BullRegistrar | undefined) === undefined) {
      throw new TenantOptionError(
        'TenantBullModule needs the queues of @nestjs/bullmq. Add ' +
          "BullModule.registerQueue({ name: 'mail' }) to the imports of a module.",
      );
    }
    const scopes = new JobScopes(tenancy);
    const register = registrar.register.bind(registrar);
    registrar.register = () => {
      register();
      // Workers have no job yet, because fetching a job takes a round trip to Redis.
      for (const host of this.hosts()) {
        scopes.scopeJobs(host.worker);
        scopes.scopeEvents(host.worker);
      }
    };
  }

  onModuleInit(): void {
    const stamp = () => this.tenancy.metadata();
    for (const instance of this.instances()) {
      if (instance instanceof Queue) stampQueue(instance as Queue, stamp);
      if (instance instanceof FlowProducer) stampFlowProducer(instance as FlowProducer, stamp);
    }
  }

  /**
   * Also includes request-scoped hosts. `@nestjs/bullmq` stores the worker of such a host on the
   * object that Nest clones.
   */
  private hosts(): Set<WorkerHost<Worker>> {
    const all = this.discovery.getProviders().map(({ instance }): unknown => instance);
    return new Set(all.filter((it): it is WorkerHost<Worker> => it instanceof WorkerHost));
  }

  private instances(): Set<unknown> {
    const singletons = this.discovery.getProviders().filter((it) => it.isDependencyTreeStatic());
    return new Set(singletons.map(({ instance }): unknown => instance));
  }
}
