import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { ApplicationConfig, DiscoveryService, MetadataScanner } from '@nestjs/core';
import { TenantGate } from './tenant-gate.js';

/**
 * Logs a warning at startup if Nest's plain `CacheInterceptor` is used on routes of tenants. The
 * keys of this interceptor are URLs, so one tenant would receive another tenant's cached responses.
 * The interceptor is allowed on central routes.
 */
@Injectable()
export class CacheAudit implements OnApplicationBootstrap {
  private readonly logger = new Logger('TenantModule');

  constructor(
    private readonly config: ApplicationConfig,
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly gate: TenantGate,
  ) {}

  onApplicationBootstrap(): void {
    if (this.isGlobal()) this.warn('a global interceptor');
    const owners = [...this.discovery.getControllers(), ...this.discovery.getProviders()];
    for (const wrapper of owners) {
      const enhancers = wrapper.getEnhancersMetadata() as Wrapper[] | undefined;
      const owner = wrapper.metatype;
      if (typeof owner !== 'function' || !enhancers?.some(isPlainCacheClass)) continue;
      if (this.servesTenants(owner)) this.warn(`an interceptor of ${owner.name}`);
    }
  }

  private isGlobal(): boolean {
    return (
      this.config.getGlobalInterceptors().some((interceptor) => isPlainCache(interceptor)) ||
      this.config.getGlobalRequestInterceptors().some(isPlainCacheClass)
    );
  }

  /** Routes and resolvers are decorated methods. */
  private servesTenants(owner: Function): boolean {
    const prototype = owner.prototype as Record<string, Function>;
    return this.scanner.getAllMethodNames(prototype).some((name) => {
      const handler = prototype[name]!;
      return (
        Reflect.getMetadataKeys(handler).length > 0 &&
        this.gate.modeOf(owner, handler) !== 'central'
      );
    });
  }

  private warn(place: string): void {
    this.logger.warn(
      `CacheInterceptor (${place}) can send one tenant the cached response of another tenant: ` +
        `its keys do not contain the tenant. Use TenantCacheInterceptor from ` +
        `@fledge/tenant/cache, or @CentralRoute() if all tenants may share the response.`,
    );
  }
}

interface Wrapper {
  readonly metatype: unknown;
}

function isPlainCacheClass({ metatype }: Wrapper): boolean {
  return typeof metatype === 'function' && isPlainCache(metatype.prototype as object | null);
}

/**
 * Finds the interceptor by its methods, because the package is optional. A subclass with its own
 * `trackBy` is accepted.
 */
function isPlainCache(interceptor: object | null): boolean {
  let own = interceptor;
  while (own !== null && !Object.hasOwn(own, 'trackBy')) {
    own = Object.getPrototypeOf(own) as object | null;
  }
  const methods = ['trackBy', 'isRequestCacheable', 'setHeadersWhenHttp'];
  return own !== null && methods.every((name) => Object.hasOwn(own, name));
}
