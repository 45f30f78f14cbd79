import type { WebSocketAdapter, WsMessageHandler } from '@nestjs/common';
import { findHandshake } from './handshake.js';
import type { SocketScopes } from './socket-scopes.js';

type Callback = (...args: unknown[]) => void;
type Own = Pick<
  WebSocketAdapter,
  'bindClientConnect' | 'bindClientDisconnect' | 'bindMessageHandlers'
>;

/**
 * Nest's callbacks run in the scope of the socket. Returns a proxy with the class of the adapter,
 * because several applications may share the adapter.
 */
export function scopedAdapter<A extends WebSocketAdapter>(adapter: A, scopes: SocketScopes): A {
  const own: Own = {
    bindClientConnect: (server: unknown, connected: Callback) =>
      adapter.bindClientConnect(server, (client: object, ...rest: unknown[]) =>
        scopes.connect(client, findHandshake(client, rest[0]), () => connected(client, ...rest)),
      ) as unknown,
    bindMessageHandlers: (client: object, handlers: WsMessageHandler[], transform) =>
      adapter.bindMessageHandlers(
        client,
        handlers.map((handler) => ({
          ...handler,
          callback: (...args: unknown[]) => scopes.message(client, () => handler.callback(...args)),
        })),
        transform,
      ) as unknown,
    bindClientDisconnect: (client: object, disconnected: Callback) =>
      adapter.bindClientDisconnect?.(client, (...args: unknown[]) =>
        scopes.disconnect(client, () => disconnected(...args)),
      ) as unknown,
  };
  return new Proxy(adapter, {
    get(target, key) {
      const property: unknown = Reflect.get(target, key);
      if (typeof property !== 'function' || key === 'constructor') return property;
      // Bound, because private fields do not work through a proxy.
      return Object.hasOwn(own, key) ? own[key as keyof Own] : (property.bind(target) as unknown);
    },
    set: (target, key, value) => Reflect.set(target, key, value),
  });
}
