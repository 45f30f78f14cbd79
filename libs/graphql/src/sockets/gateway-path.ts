import type { Type } from '@nestjs/common';
import { type ApplicationConfig, type ModulesContainer, Reflector } from '@nestjs/core';

/** Keys of the metadata that `@WebSocketGateway()` writes. */
const PORT = 'port';
const OPTIONS = 'websockets:gateway_options';

const reflector = new Reflector();

/**
 * Returns the name of a WebSocket gateway that serves exactly this path on the HTTP server, or
 * undefined. Ignores gateways on Socket.IO, because Socket.IO adds a slash to its path.
 */
export function gatewayAt(
  path: string,
  modules: ModulesContainer,
  config: ApplicationConfig,
): string | undefined {
  // The type excludes undefined. But an application without gateways may have no adapter.
  const adapter = config.getIoAdapter() as object | undefined;
  // Only the Socket.IO adapter has this method.
  if (!adapter || 'createIOServer' in adapter) return undefined;
  const providers = [...modules.values()].flatMap((module) => [...module.providers.values()]);
  const gateway = providers.find(({ metatype }) => metatype && isAt(path, metatype as Type));
  return gateway?.metatype?.name;
}

function isAt(path: string, type: Type): boolean {
  const options = reflector.get<{ readonly path?: string } | undefined>(OPTIONS, type);
  // A gateway with a port has its own server.
  if (options === undefined || reflector.get(PORT, type) !== 0) return false;
  // `@nestjs/platform-ws` normalizes the path in the same way.
  return `/${(options.path ?? '').replace(/^\/+|\/+$/g, '')}` === path;
}
