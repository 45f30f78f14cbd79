import { inspect } from 'node:util';
import type { TenantContext } from '../tenant-context.js';
import { currentTenant, requiredTenant } from './tenant-scope.js';

/**
 * Always reads the current tenant, so singletons can keep the object. A proxy provider of
 * nestjs-cls would keep the outer tenant in a nested scope, and applications in one process would
 * share values.
 */
export function tenantContextProxy(): TenantContext {
  // `inspect` reads this target instead of the proxy. It is extensible, because the proxy returns
  // keys that the target does not have.
  const target = { [inspect.custom]: inspected } as object as TenantContext;
  return new Proxy<TenantContext>(target, {
    get: (_, key): unknown =>
      isProbe(key) ? Reflect.get(currentTenant() ?? {}, key) : Reflect.get(required(key), key),
    has: (_, key) => Reflect.has(currentTenant() ?? {}, key),
    ownKeys: () => Reflect.ownKeys(requiredTenant('Reading the keys of TENANT_CONTEXT')),
    getOwnPropertyDescriptor: (_, key) => {
      // Another proxy around this proxy, for example of an instance decorator, reads these
      // properties on each `get`.
      const tenant = isProbe(key) ? (currentTenant() ?? {}) : required(key);
      const own = Reflect.getOwnPropertyDescriptor(tenant, key);
      return own && { ...own, configurable: true };
    },
    getPrototypeOf: () => Object.prototype,
    ...refuseChanges(
      'TENANT_CONTEXT is read-only. To work for another tenant, call tenancy.run(tenantId, fn).',
    ),
  });
}

function required(read: string | symbol): TenantContext {
  return requiredTenant(`TENANT_CONTEXT.${String(read)}`);
}

/**
 * Returns true for properties that Nest, promises and loggers read from any object, even at
 * startup. A tenant has none of them.
 */
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

export function refuseChanges(message: string): ProxyHandler<object> {
  const refuse = (): never => {
    throw new TypeError(message);
  };
  return {
    set: refuse,
    deleteProperty: refuse,
    defineProperty: refuse,
    setPrototypeOf: refuse,
    preventExtensions: refuse,
  };
}

function inspected(): unknown {
  const tenant = currentTenant();
  return tenant ? { ...tenant } : 'TENANT_CONTEXT (no tenant here)';
}
