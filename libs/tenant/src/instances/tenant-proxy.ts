import { inspect } from 'node:util';
import { isProbe, refuseChanges } from '../scope/tenant-context-proxy.js';
import { currentTenant, requiredTenant } from '../scope/tenant-scope.js';
import type { TenantPool } from './tenant-pool.js';
import type { TenantPoolOptions } from './tenant-provider.js';

/**
 * Creates a proxy that forwards to the current tenant's instance. It is read-only, because a write
 * would change the instance of only one tenant.
 */
export function createTenantProxy<T extends object>(
  pool: TenantPool<T>,
  { name, type }: Pick<TenantPoolOptions<T>, 'name' | 'type'>,
): T {
  const required = (wanted: string): T => pool.get(requiredTenant(wanted));
  /**
   * Returns the instance if it is ready. Used for properties that are read from any object, even
   * without a tenant, so it never creates an instance or throws.
   */
  const readyOrEmpty = (): object => {
    const tenant = currentTenant();
    return (tenant && pool.peek(tenant)) ?? EMPTY;
  };
  const instanceFor = (key: string | symbol): object =>
    isProbe(key) ? readyOrEmpty() : required(`${name}.${String(key)}`);
  const properties = new BoundProperties();
  return new Proxy<T>(targetOf(type, () => inspected(name, readyOrEmpty())) as T, {
    get: (_, key) => properties.read(instanceFor(key), key),
    has: (_, key) => Reflect.has(instanceFor(key), key),
    ownKeys: () => Reflect.ownKeys(required(`Reading the keys of ${name}`)),
    getOwnPropertyDescriptor(_, key) {
      const own = Reflect.getOwnPropertyDescriptor(instanceFor(key), key);
      // The target lacks the property, so Proxy invariants require that it is configurable.
      return own && { ...own, configurable: true };
    },
    getPrototypeOf: () => Reflect.getPrototypeOf(readyOrEmpty()),
    apply: (_, self, args): unknown => Reflect.apply(required(`${name}()`) as Function, self, args),
    construct: (_, args) =>
      Reflect.construct(required(`new ${name}()`) as Function, args) as object,
    ...refuseChanges(
      `${name} represents the instances of all tenants and is read-only. Change an instance in its factory.`,
    ),
  });
}

/**
 * Reads properties, and binds functions to their object, because private fields do not work through
 * a proxy.
 */
class BoundProperties {
  private readonly byObject = new WeakMap<object, WeakMap<Function, Function>>();

  read(object: object, key: string | symbol): unknown {
    const property: unknown = Reflect.get(object, key);
    // The constructor is returned unbound for its static members and metadata.
    if (typeof property !== 'function' || key === 'constructor') return property;
    let bound = this.byObject.get(object);
    if (bound === undefined) this.byObject.set(object, (bound = new WeakMap()));
    let method = bound.get(property);
    if (method === undefined) {
      // Inherits from the original, so a class keeps its static members.
      method = Object.setPrototypeOf(property.bind(object), property) as Function;
      bound.set(property, method);
    }
    return method;
  }
}

const EMPTY = Object.freeze({});

/** Returns a target with only configurable properties, as Proxy invariants require. */
function targetOf(type: 'object' | 'function', inspected: () => unknown): object {
  // A bound function is constructible and has no non-configurable property.
  const target = type === 'object' ? {} : function () {}.bind(undefined);
  // util.inspect reads the target of a proxy.
  return Object.defineProperty(target, inspect.custom, { value: inspected, configurable: true });
}

function inspected(name: string, instance: object): unknown {
  return instance === EMPTY ? `${name} (no tenant here)` : instance;
}
