import { BullRegistrar, ProcessorDecoratorService, WorkerHost } from '@nestjs/bullmq';
import { Global, Module, type OnModuleInit } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService, ModuleRef } from '@nestjs/core';
import { FlowProducer, Queue, type Worker } from 'bullmq';
import { Tenancy } from '../scope/tenancy.js';
import { JobScopes } from './job-scopes.js';
import { stampFlowProducer, stampQueue } from './job-stamps.js';

/**
 * Processes each BullMQ job for the tenant that added it. Import it once, beside `TenantModule` and the
 * queues of `@nestjs/bullmq`.
 *
 * @example
 * ```ts
 * imports: [TenantModule.forRoot({ strategy: 'header' }), BullModule.registerQueue({ name: 'mail' }), TenantBullModule]
 * ```
 */
// Global, because Nest initializes global modules first: jobs that others add in onModuleInit get a tenant.
@Global()
@Module({ imports: [DiscoveryModule] })
export class TenantBullModule implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly tenancy: Tenancy,
    // Injected so that it exists now. It starts the workers in onModuleInit.
    registrar: BullRegistrar,
    moduleRef: ModuleRef,
  ) {
    const scopes = new JobScopes(tenancy);
    const decorator = moduleRef.get(ProcessorDecoratorService, { strict: false });
    const decorate = decorator.decorate.bind(decorator);
    decorator.decorate = (processor) => scopes.process(decorate(processor));

    const register = registrar.register.bind(registrar);
    registrar.register = () => {
      register();
      for (const host of this.instances()) {
        if (host instanceof WorkerHost) scopes.scopeEvents(host.worker as Worker);
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

  private instances(): Set<unknown> {
    const singletons = this.discovery.getProviders().filter((it) => it.isDependencyTreeStatic());
    return new Set(singletons.map(({ instance }): unknown => instance));
  }
}
