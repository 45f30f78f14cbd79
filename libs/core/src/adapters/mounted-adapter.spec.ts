import { describe, expect, it } from '@jest/globals';
import { CoreOptionError } from '../errors.js';
import { mountedAdapter, runHook } from './mounted-adapter.js';

describe('mountedAdapter', () => {
  interface Options {
    path: string;
    limit: number | null;
  }

  const configOf = (options: Partial<Options>) => {
    let config: Options | undefined;
    const build = (it: Options) => {
      config = it;
      return {};
    };
    mountedAdapter('adapter', { name: 'A', defaults: { path: '/a', limit: 5 }, build }, options);
    return config;
  };

  it('gives build the options over the defaults', () => {
    expect(configOf({})).toEqual({ path: '/a', limit: 5 });
    expect(configOf({ path: '/b', limit: null })).toEqual({ path: '/b', limit: null });
    expect(configOf({ path: undefined as never })).toEqual({ path: '/a', limit: 5 });
  });

  it('waits 5 seconds for a shutdown unless told otherwise', () => {
    const build = () => ({});
    expect(mountedAdapter('adapter', { name: 'A', build }, {}).shutdownTimeoutMs).toBe(5000);
    const definition = { name: 'A', build, shutdownTimeoutMs: 10 };
    expect(mountedAdapter('adapter', definition, {}).shutdownTimeoutMs).toBe(10);
  });
});

describe('the hooks that build returns', () => {
  const adapterWith = (hooks: unknown) =>
    mountedAdapter('adapter', { name: 'Mailer', build: () => hooks as object }, {});

  it.each([
    [
      { beforMount: () => 1 },
      'defineAdapter({ build().beforMount }) of Mailer is not an option. Did you mean beforeMount?',
    ],
    [
      { beforeStart: 5 },
      'defineAdapter({ build().beforeStart }) of Mailer is 5, but must be a function.',
    ],
    [
      undefined,
      'defineAdapter({ build() }) of Mailer is undefined, but must be an object with beforeMount,',
    ],
    [
      Promise.resolve({}),
      'defineAdapter({ build() }) of Mailer is a promise, but `build` must not be async.',
    ],
  ])('rejects %p', (hooks, message) => {
    expect(() => adapterWith(hooks)).toThrow(message);
    expect(() => adapterWith(hooks)).toThrow(CoreOptionError);
  });

  it('accepts instances of classes with other members', () => {
    class Hooks {
      sent = 0;
      shutdown() {
        return this.sent;
      }
    }
    expect(adapterWith(new Hooks()).hooks).toBeInstanceOf(Hooks);
  });
});

describe('runHook', () => {
  const adapter = mountedAdapter('adapter', { name: 'Mailer', build: () => ({}) }, {});

  it.each([
    [new TypeError('bad'), 'Mailer failed in beforeStart: bad'],
    ['text', 'Mailer failed in beforeStart: text'],
  ])('names adapter, hook and cause of %p', async (thrown, message) => {
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- hooks may
    const failing = runHook(adapter, 'beforeStart', () => Promise.reject(thrown));
    await expect(failing).rejects.toMatchObject({
      message,
      code: 'CORE_ADAPTER_HOOK_FAILED',
      cause: thrown,
    });
  });
});
