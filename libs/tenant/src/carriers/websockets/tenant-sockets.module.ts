import { type OptionTable, readOptions } from '@fledge-internal/options';
import { refuseSecondImport } from '@fledge/core/packages';
import { type DynamicModule, Global, Module, type WebSocketAdapter } from '@nestjs/common';
import { ApplicationConfig, ModulesContainer } from '@nestjs/core';
import { TenantOptionError } from '../../tenant.errors.js';
import { provideWithTenantModule } from '../../require-tenant-module.js';
import { placeOf, routeMode } from '../../option-rules.js';
import { scopedAdapter } from './scoped-adapter.js';
import { SocketScopes } from './socket-scopes.js';
import { SOCKETS_OPTIONS, type TenantSocketsOptions } from './tenant-sockets.options.js';

/**
 * Runs gateways for the tenant of the handshake. This includes `handleConnection`,
 * `handleDisconnect`, and the guards, pipes, interceptors and filters of each message. Import the
 * module once, next to `TenantModule`. Works with the default WebSocket adapter, or with the
 * adapter that `main.ts` sets.
 *
 * @example
 * ```ts
 * imports: [TenantModule.forRoot({ strategy: 'subdomain' }), TenantSocketsModule]
 * ```
 */
@Global()
@Module({
  providers: [provideWithTenantModule(SocketScopes, 'TenantSocketsModule')],
  exports: [SocketScopes],
})
export class TenantSocketsModule {
  constructor(config: ApplicationConfig, scopes: SocketScopes, modules: ModulesContainer) {
    refuseSecondImport(modules, TenantSocketsModule, 'TenantSocketsModule', TenantOptionError);
    // Nest sets the default adapter during initialization if `main.ts` has not set an adapter.
    const set = config.setIoAdapter.bind(config);
    config.setIoAdapter = (adapter) => set(scopedAdapter(adapter, scopes));
    const present = config.getIoAdapter() as WebSocketAdapter | null;
    if (present !== null) config.setIoAdapter(present);
  }

  /** @throws TenantOptionError */
  static forRoot(options: TenantSocketsOptions): DynamicModule {
    const useValue = readOptions(options, OPTIONS, placeOf('TenantSocketsModule.forRoot'));
    return { module: TenantSocketsModule, providers: [{ provide: SOCKETS_OPTIONS, useValue }] };
  }
}

const OPTIONS = { mode: routeMode.optional } satisfies OptionTable<TenantSocketsOptions>;
