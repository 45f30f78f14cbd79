import {
  type DynamicModule,
  type InjectionToken,
  Logger,
  Module,
  type ModuleMetadata,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type Provider,
} from '@nestjs/common';
import { requireTenantModule } from '../require-tenant-module.js';
import { Tenancy } from '../scope/tenancy.js';
import { TenantResources } from '../scope/tenant-resources.js';
import { requireStartupScope } from '../startup-scope.js';
import { TenantOptionError } from '../tenant.errors.js';
import { TenantPool } from './tenant-pool.js';
import { nameOfToken, readProvider, type TenantProvider } from './tenant-provider.js';
import { createTenantProxy } from './tenant-proxy.js';

const logger = new Logger('TenantFeatureModule');

/** Exports a proxy under the token of each provider. */
@Module({})
class TenantFeatureModule {}

/**
 * Rule for providers without `connections`. `none`: the provider does not count in the budget.
 * `refused`: the application does not start if there is a budget.
 */
export type UnsaidConnections = 'none' | 'refused';

/**
 * @param imports modules that export the providers' dependencies @default []
 * @throws TenantOptionError
 */
export function createFeatureModule(
  providers: readonly TenantProvider[],
  imports: NonNullable<ModuleMetadata['imports']> = [],
  unsaid: UnsaidConnections = 'none',
): DynamicModule {
  // JavaScript callers may pass anything.
  const given: unknown = providers;
  if (!Array.isArray(given)) {
    throw new TenantOptionError(
      'TenantModule.forFeature() requires a list of providers: ' +
        'forFeature([{ provide, useFactory }]).',
    );
  }
  requireNoCycle(providers);
  return {
    module: TenantFeatureModule,
    imports,
    providers: providers.flatMap((provider) => providersOf(provider, unsaid)),
    exports: providers.map(({ provide }) => provide),
  };
}

/** @throws TenantOptionError, because Nest's own error cannot name tokens that are symbols */
function requireNoCycle(providers: readonly TenantProvider[]): void {
  const done = new Set<InjectionToken>();
  const visit = (token: InjectionToken, path: readonly InjectionToken[]): void => {
    const start = path.indexOf(token);
    if (start !== -1) {
      throw new TenantOptionError(
        'The factories of per-tenant providers depend on each other: ' +
          `${[...path.slice(start), token].map(nameOfToken).join(' -> ')}. Remove one of these ` +
          'tokens from `inject`.',
      );
    }
    if (done.has(token)) return;
    for (const { inject = [] } of providers.filter(({ provide }) => provide === token)) {
      for (const each of inject) visit(tokenOf(each), [...path, token]);
    }
    done.add(token);
  };
  for (const { provide } of providers) visit(provide, []);
}

function tokenOf(dependency: NonNullable<TenantProvider['inject']>[number]): InjectionToken {
  return typeof dependency === 'object' && 'token' in dependency ? dependency.token : dependency;
}

function providersOf(provider: TenantProvider, unsaid: UnsaidConnections): Provider[] {
  const { name } = readProvider(provider);
  const token = Symbol(`fledge:instances of ${name}`);
  return [
    {
      provide: token,
      inject: [
        { token: Tenancy, optional: true },
        { token: TenantResources, optional: true },
        ...(provider.inject ?? []),
      ],
      useFactory: (tenancy: Tenancy, resources: TenantResources, ...deps: unknown[]) => {
        requireTenantModule(tenancy, `The per-tenant provider ${name}`);
        return new TenantFeature(provider, deps, tenancy, resources);
      },
    },
    {
      provide: provider.provide,
      inject: [token],
      // If a test overrides this provider, requests create no instances.
      useFactory: (feature: TenantFeature) => {
        const { connections = unsaid === 'none' ? 0 : undefined } = provider;
        feature.register(name, connections);
        return feature.proxy;
      },
    },
    requireStartupScope(token, `The per-tenant provider ${name}`),
  ];
}

class TenantFeature implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly proxy: object;
  private readonly pool: TenantPool<object>;

  constructor(
    private readonly provider: TenantProvider,
    deps: readonly unknown[],
    private readonly tenancy: Tenancy,
    private readonly resources: TenantResources,
  ) {
    const options = readProvider(provider, deps);
    this.pool = new TenantPool(options, resources.budget, (tenant) =>
      resources.keepUsedBy(this.pool, tenant),
    );
    this.proxy = createTenantProxy(this.pool, options);
  }

  /** Dependencies register first. A factory can therefore use other per-tenant providers. */
  register(name: string, connections: number | undefined): void {
    this.resources.budget?.add(name, connections);
    this.resources.register(this.pool);
  }

  async onApplicationBootstrap(): Promise<void> {
    await Promise.all((this.provider.warm ?? []).map((tenant) => this.warmUp(tenant)));
  }

  /** In the last hook, because running requests need the instances until the server is closed. */
  onApplicationShutdown(): Promise<void> {
    // In the order of use, because NestJS 11 calls this hook of all providers at once.
    this.resources.invalidateAll();
    return this.pool.close();
  }

  /**
   * Enters a scope, because this creates an instance. Errors are only logged, because other tenants
   * must still start.
   */
  private async warmUp(tenant: string): Promise<void> {
    try {
      await this.tenancy.run(tenant, () => undefined);
    } catch (error) {
      logger.error(`The instances of tenant "${tenant}" could not be created at startup:`);
      logger.error(error);
    }
  }
}
