import {
  callback,
  isObject,
  isPlainObject,
  kind,
  milliseconds,
  type OptionTable,
  type Place,
  readOptions,
  readValues,
  text,
} from '@fledge-internal/options';
import { AdapterHookError } from '../errors.js';
import { placeOf } from '../checks/option-place.js';
import { contextDecorators } from '../contributors/context.options.js';
import type { PluginHooks } from './adapter.hooks.js';

/** Name, defaults and hooks of an adapter or plugin. */
export interface AdapterDefinition<Options extends object, Hooks> {
  /** Name for errors, logs and introspection. */
  readonly name: string;
  /** Default values of the options. @default none */
  readonly defaults?: Partial<Options>;
  /** Maximum milliseconds that a closing application waits for `shutdown`. @default 5000 */
  readonly shutdownTimeoutMs?: number;
  /** Called once in each application that imports the module. */
  build(config: Options): Hooks;
}

const DEFINITION = {
  name: text.required,
  defaults: kind<object>('an object', isObject).optional,
  shutdownTimeoutMs: milliseconds.default(5_000),
  build: callback<(config: never) => unknown>().required,
} satisfies OptionTable<AdapterDefinition<object, unknown>>;

const HOOKS = {
  beforeMount: callback<NonNullable<PluginHooks['beforeMount']>>().optional,
  middleware: callback<NonNullable<PluginHooks['middleware']>>().optional,
  onRouteMount: callback<NonNullable<PluginHooks['onRouteMount']>>().optional,
  beforeStart: callback<NonNullable<PluginHooks['beforeStart']>>().optional,
  afterStart: callback<NonNullable<PluginHooks['afterStart']>>().optional,
  shutdown: callback<NonNullable<PluginHooks['shutdown']>>().optional,
  introspect: callback<NonNullable<PluginHooks['introspect']>>().optional,
  contributors: contextDecorators.optional,
} satisfies OptionTable<PluginHooks>;

export type AdapterKind = 'adapter' | 'plugin';

export interface MountedAdapter {
  readonly name: string;
  readonly kind: AdapterKind;
  readonly hooks: PluginHooks;
  readonly shutdownTimeoutMs: number;
}

/**
 * @throws CoreOptionError if the definition has an unknown or invalid option or hook
 * @throws AdapterHookError if `build` throws
 */
export function mountedAdapter<Options extends object>(
  adapterKind: AdapterKind,
  definition: AdapterDefinition<Options, PluginHooks>,
  options: Partial<Options>,
): MountedAdapter {
  const call = adapterKind === 'adapter' ? 'defineAdapter' : 'definePlugin';
  const { name, shutdownTimeoutMs } = readOptions(definition, DEFINITION, placeOf(call));
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  // Options without a default may be missing, because the author of the definition decides which
  // options are required.
  const config = { ...definition.defaults, ...Object.fromEntries(given) } as Options;
  const hooks = build(definition, config);
  checkHooks(hooks, placeOf(call, ` of ${name}`).at('build()'));
  return { name, kind: adapterKind, hooks, shutdownTimeoutMs };
}

function build<Options extends object>(
  definition: AdapterDefinition<Options, PluginHooks>,
  config: Options,
): PluginHooks {
  try {
    return definition.build(config);
  } catch (error) {
    throw new AdapterHookError(definition.name, 'build', error);
  }
}

/** Finds misspelled hooks. Instances of classes may have members that are not hooks. */
function checkHooks(hooks: unknown, place: Place): void {
  if (hooks instanceof Promise) throw place.error('is a promise, but `build` must not be async');
  const read = isObject(hooks) && !isPlainObject(hooks) ? readValues : readOptions;
  read(hooks as object, HOOKS, place);
}

/** @throws AdapterHookError with the names of the adapter and the hook */
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
