import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { enterScope } from '../scope/tenant-scope.js';
import { createTenantContext } from '../tenant-context.js';
import { TenantContextMissingError } from '../tenant.errors.js';
import { TenantPool } from './tenant-pool.js';
import { readProvider, type TenantProvider } from './tenant-provider.js';
import { createTenantProxy } from './tenant-proxy.js';

class Client {
  #calls = 0;
  static Version = class {
    static readonly number = 7;
  };
  readonly Version = Client.Version;

  constructor(readonly of: string) {}

  call(): string {
    this.#calls += 1;
    return `${this.of}:${this.#calls}`;
  }

  get calls(): number {
    return this.#calls;
  }
}

function proxyOf<T extends object>(make: (tenantId: string) => T, type?: 'function'): T {
  const options = readProvider<T>({
    provide: 'CLIENT',
    useFactory: ({ tenantId }) => make(tenantId),
    ...(type && { type }),
  });
  return createTenantProxy(new TenantPool(options), options);
}

const as = <R>(tenantId: string, run: () => R): R =>
  enterScope({ kind: 'tenant', tenant: createTenantContext({ tenantId }) }, run);

describe('the proxy of a provider', () => {
  const client = proxyOf((tenantId) => new Client(tenantId));

  it('is the instance of whoever uses it, private fields and all', () => {
    expect(as('a', () => [client.call(), client.call(), client.calls])).toEqual(['a:1', 'a:2', 2]);
    expect(as('b', () => [client.call(), client.of])).toEqual(['b:1', 'b']);
    expect(as('a', () => as('b', () => client.call()))).toBe('b:2');
    expect(as('a', () => client.call())).toBe('a:3');
  });

  it('hands out methods that need nobody to be called on', () => {
    as('m', () => {
      const { call } = client;
      expect(call()).toBe('m:1');
      expect(client.call).toBe(call);
      expect(as('n', () => call())).toBe('m:2');
    });
  });

  it('leaves classes what they are', () => {
    as('a', () => {
      expect(client.Version.number).toBe(7);
      expect(new client.Version()).toBeInstanceOf(Client.Version);
      class Next extends client.Version {}
      expect(new Next()).toBeInstanceOf(Client.Version);
      expect(client.constructor).toBe(Client);
    });
  });

  it('looks like the instance', () => {
    as('a', () => {
      client.call();
      expect(client).toBeInstanceOf(Client);
      expect('of' in client).toBe(true);
      expect('nope' in client).toBe(false);
      expect(Object.keys(client).sort()).toEqual(['Version', 'of']);
      expect({ ...client }).toMatchObject({ of: 'a' });
      expect(JSON.stringify(client)).toBe('{"of":"a"}');
      expect(inspect(client)).toContain(`of: 'a'`);
      expect(typeof client).toBe('object');
    });
    expect(as('frozen', () => Object.keys(proxyOf(() => Object.freeze({ x: 1 }))))).toEqual(['x']);
  });

  it('passes on what a Map or an iterable needs', () => {
    const map = proxyOf((tenantId) => new Map([[tenantId, 1]]));
    as('a', () => {
      map.get('a');
      expect([...map]).toEqual([['a', 1]]);
      expect(map.size).toBe(1);
    });
  });

  it.each<[string, (proxy: Record<string, unknown>) => unknown]>([
    ['CLIENT.call', ({ call }) => call],
    ['CLIENT.anything', ({ anything }) => anything],
    ['CLIENT.of', (proxy) => 'of' in proxy],
    ['Reading the keys of CLIENT', (proxy) => ({ ...proxy })],
    ['CLIENT.of', (proxy) => Object.getOwnPropertyDescriptor(proxy, 'of')],
    ['CLIENT.toJSON', (proxy) => JSON.stringify(proxy)],
  ])('says that %s needs a tenant', (wanted, read) => {
    const attempt = () => read(client as never);
    expect(attempt).toThrow(TenantContextMissingError);
    expect(attempt).toThrow(`${wanted} needs a tenant`);
    expect(() => enterScope({ kind: 'central', reason: 'report' }, attempt)).toThrow(
      TenantContextMissingError,
    );
  });

  it('keeps still when Nest, promises and loggers look at it without a tenant', async () => {
    const probed = client as unknown as Record<string | symbol, unknown>;
    for (const name of [
      'then',
      'onModuleInit',
      'onApplicationBootstrap',
      'onModuleDestroy',
      'beforeApplicationShutdown',
      'onApplicationShutdown',
      Symbol.toStringTag,
      Symbol.iterator,
    ]) {
      expect(probed[name]).toBeUndefined();
    }
    expect(client.constructor).toBe(Object);
    expect(Object.getPrototypeOf(client)).toBe(Object.prototype);
    expect('onModuleInit' in client).toBe(false);
    expect(inspect(client)).toBe('CLIENT (no tenant here)');
    expect(Object.prototype.toString.call(client)).toBe('[object Object]');
    expect(await Promise.resolve(client)).toBe(client);
  });

  it('makes nothing for who only looks', async () => {
    let made = 0;
    const counted = proxyOf(() => ({ serial: (made += 1) }));
    await as('a', async () => {
      inspect(counted);
      await Promise.resolve(counted);
      expect(counted).not.toBeInstanceOf(Client);
    });
    expect(made).toBe(0);
    as('a', () => counted.serial);
    expect(made).toBe(1);
  });

  it('is read-only', () => {
    const acts: (() => unknown)[] = [
      () => Object.assign(client, { of: 'evil' }),
      () => Reflect.deleteProperty(client, 'of'),
      () => Object.defineProperty(client, 'of', { value: 'evil' }),
      () => Object.setPrototypeOf(client, null),
      () => Object.freeze(client),
    ];
    for (const act of acts) {
      expect(() => as('a', act)).toThrow(TypeError);
      expect(() => as('a', act)).toThrow(/CLIENT represents the instances of all tenants/);
    }
    expect(as('a', () => client.of)).toBe('a');
  });
});

describe('the proxy of a function', () => {
  const query = proxyOf(
    (tenantId) =>
      Object.assign(
        function (this: unknown, table: string) {
          return new.target ? { made: tenantId } : `${tenantId}.${table}`;
        } as unknown as { (table: string): string; new (): object; raw(): string },
        { raw: () => tenantId },
      ),
    'function',
  );

  it('is called, constructed and read for whoever does it', () => {
    as('a', () => {
      expect(query('note')).toBe('a.note');
      expect(new query()).toEqual({ made: 'a' });
      expect(query.raw()).toBe('a');
      expect(typeof query).toBe('function');
      expect(Object.keys(query)).toEqual(['raw']);
    });
    expect(as('b', () => query('note'))).toBe('b.note');
  });

  it('says that it was called without a tenant', () => {
    expect(() => query('note')).toThrow('CLIENT() needs a tenant');
    expect(() => new query()).toThrow('new CLIENT() needs a tenant');
  });
});

describe('readProvider', () => {
  const useFactory = () => ({});

  it('names a token for errors', () => {
    class Mailer {}
    const names = ['text', Symbol('symbol'), Symbol(), Mailer].map(
      (provide) => readProvider({ provide, useFactory }).name,
    );
    expect(names).toEqual(['text', 'symbol', 'a symbol', 'Mailer']);
  });

  it.each([
    [{ max: 0 }, 'TenantModule.forFeature({ max }) of X is 0, but must be a whole number'],
    [{ max: 1.5 }, '({ max }) of X is 1.5'],
    [{ idleMs: -1 }, '({ idleMs }) of X is -1, but must be a number of milliseconds'],
    [{ idleMs: NaN }, '({ idleMs }) of X is NaN'],
    [{ warm: 'a' }, '({ warm }) of X is "a", but must be a list'],
    [{ type: 'class' }, `({ type }) of X is "class", but must be 'object' or 'function'`],
    [{ useFactory: 5 }, '({ useFactory }) of X is 5, but must be a function'],
    [{ connections: -1 }, '({ connections }) of X is -1, but must be a whole number'],
    [{ max: 1, warm: ['a', 'b'] }, 'X lists 2 tenants in `warm`, but `max` is 1'],
  ])('refuses %j', (options, message) => {
    expect(() => readProvider({ provide: 'X', useFactory, ...options } as TenantProvider)).toThrow(
      message,
    );
  });
});
