import { inspect } from 'node:util';
import { isProbe, refuseChanges } from '../scope/tenant-context-proxy.js';
import { currentTenant, requiredTenant } from '../scope/tenant-scope.js';
import type { TenantPool } from './tenant-pool.js';
import type { TenantPoolOptions } from './tenant-provider.js';

/** Read-only, because a write would change only one tenant's instance. */
export function createTenantProxy<T extends object>(
  pool: TenantPool<T>,
  { name, type }: Pick<TenantPoolOptions<T>, 'name' | 'type'>,
): T {
  const required = (wanted: string): T => pool.get(requiredTenant(wanted));
  /**
   * Returns the instance if it is ready. Never creates an instance and never throws. Used for
   * properties that libraries read from any object, even without a tenant.
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
      // The property must be reported as configurable, because the target of the proxy does not
      // have it.
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

/** Functions are bound to their object, because private fields do not work through a proxy. */
class BoundProperties {
  private readonly byObject = new WeakMap<object, WeakMap<Function, Function>>();

  read(object: object, key: string | symbol): unknown {
    const property: unknown = Reflect.get(object, key);
    // The constructor is not bound, because callers need the constructor's static members and
    // metadata.
    if (typeof property !== 'function' || key === 'constructor') return property;
    let bound = this.byObject.get(object);
    if (bound === undefined) this.byObject.set(object, (bound = new WeakMap()));
    let method = bound.get(property);
    if (method === undefined) {
      // Inherits from the original function, because a class must keep its static members.
      method = Object.setPrototypeOf(property.bind(object), property) as Function;
      bound.set(property, method);
    }
    return method;
  }
}

const EMPTY = Object.freeze({});

/** Returns a target that has only configurable properties. Proxies require this. */
function targetOf(type: 'object' | 'function', inspected: () => unknown): object {
  // A bound function has no non-configurable property, and works with `new`.
  const target = type === 'object' ? {} : function () {}.bind(undefined);
  // util.inspect reads the target of a proxy.
  return Object.defineProperty(target, inspect.custom, { value: inspected, configurable: true });
}

function inspected(name: string, instance: object): unknown {
  return instance === EMPTY ? `${name} (no tenant here)` : instance;
}
