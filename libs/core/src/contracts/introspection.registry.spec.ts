import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { IntrospectionRegistry, type IntrospectionSnapshot } from './introspection.registry.js';

const snapshot = (name: string): IntrospectionSnapshot => ({
  protocolVersion: 1,
  name,
  kind: 'adapter',
  state: { path: '/x' },
  metrics: { calls: 3 },
});
const stub = (name: string) => ({ ...snapshot(name), state: {}, metrics: {} });

describe('IntrospectionRegistry', () => {
  afterEach(() => void jest.useRealTimers());

  it('gives a stub and an error for what throws, hangs, is missing or is no snapshot', async () => {
    const registry = new IntrospectionRegistry();
    registry.register({ name: 'good', introspect: () => snapshot('good') });
    registry.register({
      name: 'throws',
      introspect: () => {
        throw new Error('no pool');
      },
    });
    registry.register({ name: 'rejects', introspect: () => Promise.reject(new Error('gone')) });
    registry.register({ name: 'hangs', introspect: () => new Promise(() => undefined) });
    registry.register({ name: 'missing' });
    registry.register({ name: 'empty', introspect: () => undefined as never });
    const report = await registry.collect();
    expect(report.adapters).toEqual([
      snapshot('good'),
      ...['throws', 'rejects', 'hangs', 'missing', 'empty'].map(stub),
    ]);
    expect(report.errors).toEqual([
      { name: 'throws', message: 'no pool' },
      { name: 'rejects', message: 'gone' },
      { name: 'hangs', message: 'introspect() took longer than 100 ms' },
      { name: 'missing', message: 'introspect() is missing' },
      { name: 'empty', message: 'introspect() did not return an object' },
    ]);
  });

  it('asks all at once', async () => {
    const registry = new IntrospectionRegistry();
    const waiting: (() => void)[] = [];
    // Each answers when the last one was asked.
    const introspect = async () => {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        if (waiting.length === 5) waiting.forEach((answer) => answer());
      });
      return snapshot('slow');
    };
    for (let i = 0; i < 5; i += 1) registry.register({ name: 'slow', introspect });
    const report = await registry.collect({ timeoutMs: 60_000 });
    expect(report.errors).toEqual([]);
  });

  it('takes the time allowed as an option', async () => {
    const registry = new IntrospectionRegistry();
    registry.register({ name: 'hangs', introspect: () => new Promise(() => undefined) });
    jest.useFakeTimers();
    const report = registry.collect({ timeoutMs: 10 });
    await jest.advanceTimersByTimeAsync(10);
    expect((await report).errors).toEqual([
      { name: 'hangs', message: 'introspect() took longer than 10 ms' },
    ]);
  });

  it('takes an item out again, once for each time it was registered', async () => {
    class Adapter {
      readonly name = 'it';
      introspect() {
        return snapshot(this.name);
      }
    }
    const registry = new IntrospectionRegistry();
    const item = new Adapter();
    const unregister = registry.register(item);
    registry.register(item);
    unregister();
    unregister();
    expect((await registry.collect()).adapters).toEqual([snapshot('it')]);
  });
});
