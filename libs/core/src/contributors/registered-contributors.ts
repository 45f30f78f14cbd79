import type { DiscoveryService } from '@nestjs/core';
import type { Contributor, HttpContextDecorator } from './context-decorator.js';
import {
  CONTEXT_OPTIONS,
  type ContextModuleOptions,
  readContextOptions,
} from './context.options.js';

/** DI token of a list of decorators for every route, from an adapter or plugin. */
export const ADAPTER_CONTRIBUTORS = Symbol('fledge:adapter-contributors');
/** DI token of the decorators that a feature module registers for the module that imports it. */
export const FEATURE_CONTRIBUTORS = Symbol('fledge:feature-contributors');

export interface RegisteredContributors {
  readonly global: readonly Contributor[];
  readonly adapter: readonly Contributor[];
  /** Contributors by controller or resolver class. */
  readonly module: ReadonlyMap<Function, readonly Contributor[]>;
}

/** Call this when all providers exist. */
export function registeredContributors(discovery: DiscoveryService): RegisteredContributors {
  const providers = discovery.getProviders();
  const under = <T>(token: symbol | string) =>
    providers.filter((wrapper) => wrapper.token === token) as { instance: T; host?: object }[];

  const features = under<Decorators>(FEATURE_CONTRIBUTORS);
  const module = new Map<Function, Contributor[]>();
  for (const { metatype, host } of [...discovery.getControllers(), ...providers]) {
    if (typeof metatype !== 'function' || host === undefined) continue;
    const here = features.filter(
      (feature) => feature.host && host.imports.has(feature.host as typeof host),
    );
    if (here.length === 0) continue;
    const found = here.flatMap(({ instance }) => contributorsIn(instance));
    module.set(metatype, [...(module.get(metatype) ?? []), ...found]);
  }
  return {
    global: under<ContextModuleOptions>(CONTEXT_OPTIONS).flatMap(({ instance }) =>
      contributorsIn(readContextOptions(instance).contributors),
    ),
    adapter: under<Decorators>(ADAPTER_CONTRIBUTORS).flatMap(({ instance }) =>
      contributorsIn(instance),
    ),
    module,
  };
}

type Decorators = readonly HttpContextDecorator[];

function contributorsIn(decorators: Decorators = []): Contributor[] {
  return decorators.map(({ contributor }) => contributor);
}
