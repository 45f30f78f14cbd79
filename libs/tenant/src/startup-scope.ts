import type { FactoryProvider, InjectionToken, OnModuleInit } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { TenantOptionError } from './tenant.errors.js';

/**
 * Provides a check that stops startup if the provider `token` has a request-scoped dependency. Nest
 * creates such a provider for each request, runs none of its hooks, and reports nothing.
 * @param place the call or provider, for the message
 */
export function requireStartupScope(token: InjectionToken, place: string): FactoryProvider {
  return {
    provide: Symbol(`fledge:scope of ${place}`),
    inject: [ModulesContainer],
    useFactory: (modules: ModulesContainer) => new ScopeCheck(modules, token, place),
  };
}

class ScopeCheck implements OnModuleInit {
  constructor(
    private readonly modules: ModulesContainer,
    private readonly token: InjectionToken,
    private readonly place: string,
  ) {}

  /** @throws TenantOptionError */
  onModuleInit(): void {
    for (const { providers } of this.modules.values()) {
      const provider = providers.get(this.token);
      if (provider === undefined || provider.isDependencyTreeStatic()) continue;
      const found = provider.getCtorMetadata()?.find((it) => !it.isDependencyTreeStatic());
      throw new TenantOptionError(
        `${this.place} injects ${String(found?.name ?? 'a provider')}, which is request-scoped or ` +
          'depends on a request-scoped provider. Inject only providers that Nest creates at startup.',
      );
    }
  }
}
