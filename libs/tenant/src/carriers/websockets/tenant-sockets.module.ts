import { readOptions } from '@fledge-internal/options';
import { type DynamicModule, Global, Module, type WebSocketAdapter } from '@nestjs/common';
import { ApplicationConfig } from '@nestjs/core';
import { besideTenantModule } from '../../beside-tenant-module.js';
import { placeOf } from '../../option-rules.js';
import { scopedAdapter } from './scoped-adapter.js';
import { SocketScopes } from './socket-scopes.js';
import {
  SOCKETS_OPTIONS,
  SOCKETS_TABLE,
  type TenantSocketsOptions,
} from './tenant-sockets.options.js';

/**
 * Runs gateways for the tenant of the handshake: `handleConnection`, each message with its guards,
 * pipes, interceptors and filters, and `handleDisconnect`. Import it once, with `TenantModule`.
 * Works with the WebSocket adapter that `main.ts` sets, or with the default adapter.
 *
 * @example
 * ```ts
 * imports: [TenantModule.forRoot({ strategy: 'subdomain' }), TenantSocketsModule]
 * ```
 */
@Global()
@Module({
  providers: [besideTenantModule(SocketScopes, 'TenantSocketsModule')],
  exports: [SocketScopes],
})
export class TenantSocketsModule {
  constructor(config: ApplicationConfig, scopes: SocketScopes) {
    // `main.ts` may have set an adapter. If not, Nest sets the default adapter during
    // initialization.
    const set = config.setIoAdapter.bind(config);
    config.setIoAdapter = (adapter) => set(scopedAdapter(adapter, scopes));
    const present = config.getIoAdapter() as WebSocketAdapter | null;
    if (present !== null) config.setIoAdapter(present);
  }

  /** @throws TenantOptionError */
  static forRoot(options: TenantSocketsOptions): DynamicModule {
    const useValue = readOptions(options, SOCKETS_TABLE, placeOf('TenantSocketsModule.forRoot'));
    return { module: TenantSocketsModule, providers: [{ provide: SOCKETS_OPTIONS, useValue }] };
  }
}
