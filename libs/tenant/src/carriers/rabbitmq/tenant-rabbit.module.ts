import { AmqpConnection } from '@golevelup/nestjs-rabbitmq';
import { type DynamicModule, Global, Module, type OnModuleInit, Optional } from '@nestjs/common';
import { refuseSecondImport } from '@fledge/core/packages';
import { DiscoveryModule, DiscoveryService, ModulesContainer } from '@nestjs/core';
import { TenantOptionError } from '../../tenant.errors.js';
import { provideWithTenantModule } from '../../require-tenant-module.js';
import { MessageScopes } from '../microservices/message-scopes.js';
import {
  provideMicroservicesOptions,
  type TenantMicroservicesOptions,
} from '../microservices/tenant-microservices.options.js';
import { Tenancy } from '../../scope/tenancy.js';
import { scopeConnection, stampConnection } from './scoped-connection.js';

/**
 * Sends the tenant in the headers of each message of `@golevelup/nestjs-rabbitmq`. Runs
 * `@RabbitRPC` and `@RabbitSubscribe` handlers for the tenant in the message. Import the module
 * once, next to `TenantModule` and `RabbitMQModule`.
 *
 * @example
 * ```ts
 * imports: [TenantModule.forRoot({ strategy: 'header' }), RabbitMQModule.forRoot({ uri }), TenantRabbitModule]
 * ```
 */
// Global, because Nest initializes global modules first. Handlers are registered later, in
// onApplicationBootstrap.
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [provideWithTenantModule(MessageScopes, 'TenantRabbitModule')],
})
export class TenantRabbitModule implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    // Optional, because `scopes` throws the error about a missing TenantModule.
    @Optional() private readonly tenancy: Tenancy,
    private readonly scopes: MessageScopes,
    modules: ModulesContainer,
  ) {
    refuseSecondImport(modules, TenantRabbitModule, 'TenantRabbitModule', TenantOptionError);
  }

  /** @throws TenantOptionError */
  static forRoot(options: TenantMicroservicesOptions): DynamicModule {
    const provided = provideMicroservicesOptions(options, 'TenantRabbitModule.forRoot');
    return { module: TenantRabbitModule, providers: [provided] };
  }

  onModuleInit(): void {
    const instances = this.discovery.getProviders().map((it): unknown => it.instance);
    for (const connection of new Set(instances)) {
      if (!(connection instanceof AmqpConnection)) continue;
      stampConnection(connection, () => this.tenancy.metadata());
      scopeConnection(connection, this.scopes);
    }
  }
}
