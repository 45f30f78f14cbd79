export { OauthBridge } from './oauth-bridge.js';
export { OauthBridgeModule } from './oauth-bridge.module.js';
export type {
  OauthBridgeOptions,
  UpstreamOptions,
  UpstreamTokens,
  UpstreamUser,
} from './oauth-bridge.options.js';
export type { OauthBridgeStore } from './bridge-store.js';
export { redisBridgeStore, type RedisBridgeStoreOptions } from './redis-bridge-store.js';
