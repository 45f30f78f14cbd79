import { describe, expect, it } from '@jest/globals';
import { enterScope, type TenantScope } from '../../scope/tenant-scope.js';
import { TenantContextMissingError } from '../../tenant.errors.js';
import type { RlsQuery } from './rls-query.js';
import { tenantAware } from './tenant-aware.js';

const A: TenantScope = { kind: 'tenant', tenant: { tenantId: 'a' } };
type SetTx = (tx?: string) => void;
type Run = () => Promise<unknown>;

/** An adapter whose transactions are strings; `log` is what happens to them. */
function adapterOf(log: unknown[]) {
  return {
    connectionToken: 'DB',
    optionsFactory: (connection: string, extra: string[]) => ({
      wrapWithTransaction: async (options: object, fn: Run, setTx: SetTx) => {
        log.push(['begin', connection, extra, options]);
        setTx('tx');
        return fn();
      },
      wrapWithNestedTransaction: async (options: object, fn: Run, setTx: SetTx, parent: string) => {
        log.push(['savepoint', parent, options]);
        setTx('inner');
        return fn();
      },
      getFallbackInstance: () => connection,
    }),
  };
}

function setUp() {
  const log: unknown[] = [];
  const queryOf =
    (tx: string): RlsQuery =>
    (_, params) => {
      log.push(['bind', tx, ...params]);
      return Promise.resolve([{ owner: '' }]);
    };
  const adapter = adapterOf(log);
  const hooks = tenantAware(adapter, queryOf).optionsFactory('db', ['extra']);
  const fn = () => Promise.resolve(log.push('work'));
  const setTx = (tx?: string) => void log.push(['set', tx]);
  return { log, adapter, queryOf, hooks, fn, setTx };
}

describe('tenantAware', () => {
  it('binds between the beginning of a transaction and its work', async () => {
    const { log, hooks, fn, setTx } = setUp();
    await enterScope(A, () => hooks.wrapWithTransaction({ level: 1 }, fn, setTx));
    await enterScope(A, () => hooks.wrapWithNestedTransaction({}, fn, setTx, 'tx'));
    expect(log).toEqual([
      ['begin', 'db', ['extra'], { level: 1 }],
      ['set', 'tx'],
      ['bind', 'tx', 'tenant a', 'app.tenant_id', 'a'],
      'work',
      ['savepoint', 'tx', {}],
      ['set', 'inner'],
      ['bind', 'inner', 'tenant a', 'app.tenant_id', 'a'],
      'work',
    ]);
  });

  it('begins no transaction without a tenant', async () => {
    const { log, hooks, fn, setTx } = setUp();
    const outside = hooks.wrapWithTransaction({}, fn, setTx);
    await expect(outside).rejects.toThrow(TenantContextMissingError);
    const none = enterScope({ kind: 'none' }, () => hooks.wrapWithTransaction({}, fn, setTx));
    await expect(none).rejects.toThrow('A transaction needs a tenant');
    expect(log).toEqual([]);
  });

  it('is the adapter, and gives it no nested transactions that it has not', () => {
    const { adapter, queryOf } = setUp();
    expect(tenantAware(adapter, queryOf)).toBe(adapter);
    const flat = {
      optionsFactory: () => {
        const { wrapWithTransaction, getFallbackInstance } = adapterOf([]).optionsFactory('db', []);
        return { wrapWithTransaction, getFallbackInstance };
      },
    };
    expect(Object.keys(tenantAware(flat, queryOf).optionsFactory())).toEqual([
      'wrapWithTransaction',
      'getFallbackInstance',
    ]);
  });
});
