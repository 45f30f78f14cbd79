import { nameDecorated } from '@fledge-internal/nest-modules';
import 'reflect-metadata';
import { McpOptionError, NotARouteError } from '../../mcp.errors.js';
import { neededMcpModule } from './mcp-module-needed.js';

/**
 * Returns a decorator that records its options as metadata of a method.
 * @param decorator name for messages, such as `@McpTool`
 * @throws McpOptionError if the method already has this decorator, because the options of one of
 * them would be lost. NotARouteError if the target is a class or a property
 */
export function recordOptions(decorator: string, key: string, options: object): MethodDecorator {
  neededMcpModule.need();
  return (target: object, name?: string | symbol, descriptor?: { readonly value?: unknown }) => {
    const place = nameDecorated(target, name);
    const method = descriptor?.value;
    if (typeof method !== 'function') {
      const reason = 'is not a method. Move the decorator to a route';
      throw new NotARouteError(place, decorator, reason);
    }
    const other: unknown = Reflect.getOwnMetadata(key, method);
    if (other !== undefined && other !== options) {
      throw new McpOptionError(
        `${place} has ${decorator} twice, but only one can apply. Keep one of them.`,
      );
    }
    Reflect.defineMetadata(key, options, method);
  };
}
