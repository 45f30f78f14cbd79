import { inspect } from 'node:util';
import { isProbe } from '../scope/tenant-context-proxy.js';
import { currentTenant } from '../scope/tenant-scope.js';
import { TenantContextMissingError } from '../tenant.errors.js';
import type { TenantPool } from './tenant-pool.js';
import type { TenantPoolOptions } from './tenant-provider.js';

/**
 * One object for all tenants, that stands for the instance of whoever uses it. Read-only: what is
 * set on it would be set for whichever tenant happens to be there.
 */
export function tenantProxyOf<T extends object>(
  pool: TenantPool<T>,
  { name, type }: Pick<TenantPoolOptions<T>, 'name' | 'type'>,
): T {
  const here = (wanted: string): T => {
    const tenant = currentTenant();
    if (tenant === undefined) throw new TenantContextMissingError(wanted);
    return pool.get(tenant);
  };
  /** For what is asked of any object, also where there is no tenant: makes nothing, throws nothing. */
  const ready = (): object => {
    const tenant = currentTenant();
    return (tenant && pool.peek(tenant)) ?? NOTHING;
  };
  const behind = (key: string | symbol): object =>
    isProbe(key) ? ready() : here(`${name}.${String(key)}`);
  const refuse = (): never => {
    throw new TypeError(
      `${name} stands for the instances of all tenants and is read-only. Change an instance in ` +
        `the factory that makes it.`,
    );
  };

  const properties = new BoundProperties();
  return new Proxy(targetOf(type, () => inspected(name, ready())) as T, {
    get: (_, key) => properties.read(behind(key), key),
    has: (_, key) => Reflect.has(behind(key), key),
    ownKeys: () => Reflect.ownKeys(here(`The keys of ${name}`)),
    getOwnPropertyDescriptor(_, key) {
      const own = Reflect.getOwnPropertyDescriptor(behind(key), key);
      // The target has no such property, so no other one could be told of.
      return own && { ...own, configurable: true };
    },
    getPrototypeOf: () => Reflect.getPrototypeOf(ready()),
    apply: (_, self, args): unknown => Reflect.apply(here(`${name}()`) as Function, self, args),
    construct: (_, args) => Reflect.construct(here(`new ${name}()`) as Function, args) as object,
    set: refuse,
    deleteProperty: refuse,
    defineProperty: refuse,
    setPrototypeOf: refuse,
    preventExtensions: refuse,
  });
}

/** Reads properties; functions bound to their object, which may keep private fields. */
class BoundProperties {
  private readonly byObject = new WeakMap<object, WeakMap<Function, Function>>();

  read(object: object, key: string | symbol): unknown {
    const property: unknown = Reflect.get(object, key);
    // Whoever asks for the constructor looks for what is written on it.
    if (typeof property !== 'function' || key === 'constructor') return property;
    let bound = this.byObject.get(object);
    if (bound === undefined) this.byObject.set(object, (bound = new WeakMap()));
    let method = bound.get(property);
    if (method === undefined) {
      // Below the original, so that a class keeps its static members.
      method = Object.setPrototypeOf(property.bind(object), property) as Function;
      bound.set(property, method);
    }
    return method;
  }
}

const NOTHING = Object.freeze({});

/** Has nothing that is not configurable, so that the proxy may say of any property that it has it. */
function targetOf(type: 'object' | 'function', inspected: () => unknown): object {
  // Bound, because of all functions that can be constructed only such have no fixed property.
  const target = type === 'object' ? {} : function () {}.bind(undefined);
  // Of a proxy, util.inspect asks the target.
  return Object.defineProperty(target, inspect.custom, { value: inspected, configurable: true });
}

function inspected(name: string, instance: object): unknown {
  return instance === NOTHING ? `${name} (no tenant here)` : instance;
}
