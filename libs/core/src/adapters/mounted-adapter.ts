import { AdapterHookError } from '../errors.js';
import type { PluginHooks } from './adapter.hooks.js';

/** Name, defaults and hooks of an adapter or plugin. */
export interface AdapterDefinition<Options extends object, Hooks> {
  /** Named in errors, logs and introspection. */
  readonly name: string;
  /** @default none */
  readonly defaults?: Partial<Options>;
  /** Milliseconds `shutdown` may take before the application closes without it. @default 5000 */
  readonly shutdownTimeoutMs?: number;
  /** Called once in each application that imports the module. */
  build(config: Options): Hooks;
}

export type AdapterKind = 'adapter' | 'plugin';

/** An adapter or plugin of one application. */
export interface MountedAdapter {
  readonly name: string;
  readonly kind: AdapterKind;
  readonly hooks: PluginHooks;
  readonly shutdownTimeoutMs: number;
}

/** Builds an adapter from its options and defaults. */
export function mountedAdapter<Options extends object>(
  kind: AdapterKind,
  definition: AdapterDefinition<Options, PluginHooks>,
  options: Partial<Options>,
): MountedAdapter {
  const { name, shutdownTimeoutMs = 5000 } = definition;
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  // Options without a default may be missing: the author of the definition decides which.
  const config = { ...definition.defaults, ...Object.fromEntries(given) } as Options;
  try {
    return { name, kind, hooks: definition.build(config), shutdownTimeoutMs };
  } catch (error) {
    throw new AdapterHookError(name, 'build', error);
  }
}

/**
 * Calls a hook, if the adapter has it, and waits for it.
 * @throws AdapterHookError naming the adapter and the hook
 */
export async function runHook(
  { name, hooks }: MountedAdapter,
  hook: 'beforeMount' | 'middleware' | 'onRouteMount' | 'beforeStart' | 'afterStart' | 'shutdown',
  run: (hooks: PluginHooks) => unknown,
): Promise<void> {
  try {
    await run(hooks);
  } catch (error) {
    throw new AdapterHookError(name, hook, error);
  }
}
