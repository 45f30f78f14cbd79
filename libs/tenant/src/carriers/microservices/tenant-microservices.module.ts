import { refuseSecondImport } from '@fledge/core/packages';
import { type DynamicModule, Global, Module, type OnModuleInit, Optional } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService, ModulesContainer } from '@nestjs/core';
import { ClientGrpcProxy, ClientProxy, Server, ServerGrpc } from '@nestjs/microservices';
import { provideWithTenantModule } from '../../require-tenant-module.js';
import { Tenancy } from '../../scope/tenancy.js';
import { TenantOptionError } from '../../tenant.errors.js';
import { MessageScopes } from './message-scopes.js';
import { scopeGrpcServer, stampGrpcClient } from './grpc.js';
import { scopePacketServer } from './scoped-server.js';
import { stampClient } from './stamped-client.js';
import {
  provideMicroservicesOptions,
  type TenantMicroservicesOptions,
} from './tenant-microservices.options.js';

/** Several applications in a process may share clients, for example in tests. */
const stampedClients = new WeakSet<ClientProxy>();

/**
 * Sends the tenant with each message of `@nestjs/microservices`. The receiver runs guards, pipes,
 * interceptors, handlers and filters for the tenant in the message. Import the module once in the
 * sending and in the receiving application, next to `TenantModule`.
 *
 * @example
 * ```ts
 * imports: [TenantModule.forRoot({ strategy: 'header' }), TenantMicroservicesModule]
 * ```
 */
// Global, because Nest initializes global modules first. Messages that another module sends in
// onModuleInit must also get a tenant.
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [provideWithTenantModule(MessageScopes, 'TenantMicroservicesModule')],
})
export class TenantMicroservicesModule implements OnModuleInit {
  constructor(
    modules: ModulesContainer,
    private readonly discovery: DiscoveryService,
    // Optional, because `scopes` throws the error about a missing TenantModule.
    @Optional() private readonly tenancy: Tenancy,
    scopes: MessageScopes,
  ) {
    const name = 'TenantMicroservicesModule';
    refuseSecondImport(modules, TenantMicroservicesModule, name, TenantOptionError);
    // Runs before a server receives its handlers. Includes servers of connectMicroservice().
    modules.getRpcTargetRegistry<unknown>().subscribe((server) => scopeServer(server, scopes));
  }

  /** @throws TenantOptionError */
  static forRoot(options: TenantMicroservicesOptions): DynamicModule {
    const provided = provideMicroservicesOptions(options, 'TenantMicroservicesModule.forRoot');
    return { module: TenantMicroservicesModule, providers: [provided] };
  }

  /** @throws TenantOptionError if a gRPC service already exists */
  onModuleInit(): void {
    const stamp = () => this.tenancy.metadata();
    for (const client of this.clients()) {
      if (stampedClients.has(client)) continue;
      stampedClients.add(client);
      if (client instanceof ClientGrpcProxy) stampGrpcClient(client, stamp);
      else stampClient(client, stamp);
    }
  }

  private clients(): ClientProxy[] {
    const all = [...this.discovery.getProviders(), ...this.discovery.getControllers()];
    return all.filter((wrapper) => wrapper.isDependencyTreeStatic()).flatMap(clientsOf);
  }
}

/** The properties of Nest's `InstanceWrapper` that are used here. */
interface Wrapper {
  readonly instance: unknown;
  /** True for values and for the results of factories. */
  readonly isNotMetatype: boolean;
}

/** A provider may be a client itself. `@Client()` sets clients as properties of an instance. */
function clientsOf({ instance, isNotMetatype }: Wrapper): ClientProxy[] {
  if (isClient(instance)) return [instance];
  // Skips providers with a value. The value may be a proxy that must not be read yet.
  if (isNotMetatype || typeof instance !== 'object' || instance === null) return [];
  const properties = Object.values(Object.getOwnPropertyDescriptors(instance));
  return properties.map(({ value }) => value as unknown).filter(isClient);
}

function isClient(value: unknown): value is ClientProxy {
  return value instanceof ClientProxy;
}

/** Skips custom strategies without a deserializer, because their messages have no metadata. */
function scopeServer(server: unknown, scopes: MessageScopes): void {
  if (server instanceof ServerGrpc) scopeGrpcServer(server, scopes);
  else if (server instanceof Server && Reflect.get(server, 'deserializer') !== undefined) {
    scopePacketServer(server as Server, scopes);
  }
}
