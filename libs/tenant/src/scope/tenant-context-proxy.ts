import { inspect } from 'node:util';
import type { TenantContext } from '../tenant-context.js';
import { currentTenant, missingTenant } from './tenant-scope.js';

/**
 * What `TENANT_CONTEXT` injects: one read-only object for all requests, that shows the tenant of
 * whoever reads it. Singletons stay singletons. A proxy provider of nestjs-cls would keep the outer
 * tenant in a nested scope and share its values between applications of one process.
 */
export function tenantContextProxy(): TenantContext {
  // Extensible, so that the proxy may report what it likes; and what `inspect` sees of a proxy.
  const target = { [inspect.custom]: inspected } as object as TenantContext;
  return new Proxy(target, {
    get: (_, key): unknown =>
      isProbe(key) ? Reflect.get(currentTenant() ?? {}, key) : Reflect.get(here(key), key),
    has: (_, key) => Reflect.has(currentTenant() ?? {}, key),
    ownKeys: () => Reflect.ownKeys(here('its keys')),
    getOwnPropertyDescriptor: (_, key) => {
      const own = Reflect.getOwnPropertyDescriptor(here(key), key);
      return own && { ...own, configurable: true };
    },
    getPrototypeOf: () => Object.prototype,
    set: refuse,
    deleteProperty: refuse,
    defineProperty: refuse,
    setPrototypeOf: refuse,
    preventExtensions: refuse,
  });
}

function here(read: string | symbol): TenantContext {
  const tenant = currentTenant();
  if (tenant === undefined) throw missingTenant(`TENANT_CONTEXT.${String(read)}`);
  return tenant;
}

/** What Nest, promises and loggers ask of any object, also at boot: no tenant has it. */
export function isProbe(key: string | symbol): boolean {
  return typeof key === 'symbol' || key === 'then' || key in LIFECYCLE || key in Object.prototype;
}

const LIFECYCLE = {
  onModuleInit: true,
  onApplicationBootstrap: true,
  onModuleDestroy: true,
  beforeApplicationShutdown: true,
  onApplicationShutdown: true,
};

function refuse(): never {
  throw new TypeError(
    'TENANT_CONTEXT is read-only. Work for another tenant with tenancy.run(tenantId, fn).',
  );
}

function inspected(): unknown {
  const tenant = currentTenant();
  return tenant ? { ...tenant } : 'TENANT_CONTEXT (no tenant here)';
}
