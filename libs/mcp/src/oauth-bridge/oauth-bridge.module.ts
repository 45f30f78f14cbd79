import { configurableModule } from '@fledge-internal/nest-modules';
import { Module } from '@nestjs/common';
import { resolveBridgeOptions } from './bridge-checks.js';
import type { OauthBridgeOptions } from './oauth-bridge.options.js';
import { BRIDGE_OPTIONS, OauthBridge } from './oauth-bridge.js';
import { placeOf } from '../options/option-rules.js';

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } = configurableModule<OauthBridgeOptions>(
  'OauthBridgeModule',
  placeOf,
);

/**
 * An authorization server for MCP clients. Use it if your identity provider does not let MCP
 * clients register, such as GitHub, Google, Entra or Cognito. Clients register at this server, and
 * people log in at the provider. Import it once, in the root module.
 */
@Module({
  providers: [
    {
      provide: BRIDGE_OPTIONS,
      useFactory: resolveBridgeOptions,
      inject: [{ token: MODULE_OPTIONS_TOKEN, optional: true }],
    },
    OauthBridge,
  ],
  exports: [OauthBridge],
})
export class OauthBridgeModule extends ConfigurableModuleClass {}
