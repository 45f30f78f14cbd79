import type { DynamicModule } from '@nestjs/common';
import type { AdapterHooks, PluginHooks } from './adapter.hooks.js';
import { adapterModuleOf } from './adapter.module.js';
import type { AdapterDefinition } from './mounted-adapter.js';

/** Returns a module for `imports`. If an option is missing or undefined, its default is used. */
export type AdapterFactory<Options extends object> = (options?: Partial<Options>) => DynamicModule;

/**
 * Defines an adapter. An adapter is code with hooks into the application's life cycle. Examples are
 * a mail gateway, or another protocol on the same server.
 *
 * @example
 * ```ts
 * const Mailer = defineAdapter<MailerOptions>({
 *   name: 'MailerAdapter',
 *   defaults: { path: '/hook' },
 *   build: ({ path }) => ({ beforeMount: ({ app }) => app.use(path, handler) }),
 * });
 *
 * @Module({ imports: [Mailer()] })
 * export class AppModule {}
 * ```
 */
export function defineAdapter<Options extends object>(
  definition: AdapterDefinition<Options, AdapterHooks>,
): AdapterFactory<Options> {
  return (options = {}) => adapterModuleOf('adapter', definition, options);
}

/**
 * Defines a plugin: an adapter that lists its mounts.
 *
 * @example
 * ```ts
 * const Ping = definePlugin<{ path: string }>({
 *   name: 'PingPlugin',
 *   build: ({ path }) => ({ middleware: () => [{ path, handler: (_, res) => res.end('pong') }] }),
 * });
 * ```
 */
export function definePlugin<Options extends object>(
  definition: AdapterDefinition<Options, PluginHooks>,
): AdapterFactory<Options> {
  return (options = {}) => adapterModuleOf('plugin', definition, options);
}
