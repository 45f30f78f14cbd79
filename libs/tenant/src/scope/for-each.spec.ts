import { describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { TenantForEachError, TenantOptionError } from '../tenant.errors.js';
import { createTenantContext } from '../tenant-context.js';
import { type ForEachProgress, runForEach } from './for-each.js';
import type { TenantOutcome } from './tenant-outcome.js';
import { currentScope, enterScope } from './tenant-scope.js';

const later = () => new Promise((resolve) => setTimeout(resolve, 1));

const stoppedBy = (run: Promise<unknown>) =>
  run.then(
    () => Promise.reject(new Error('It did not stop.')),
    (error: unknown) => error as TenantForEachError,
  );

describe('runForEach', () => {
  it('keeps the order of the list, and no more under way than allowed', async () => {
    let underWay = 0;
    let most = 0;
    const outcomes = await runForEach(
      ['a', 'b', 'c', 'd'],
      async (tenant) => {
        most = Math.max(most, ++underWay);
        await later();
        underWay -= 1;
        return tenant;
      },
      { concurrency: 2 },
    );
    expect(most).toBe(2);
    expect(outcomes).toEqual(
      ['a', 'b', 'c', 'd'].map((tenant) => ({
        tenant,
        ms: expect.any(Number),
        status: 'done',
        value: tenant,
      })),
    );
  });

  const failing = new Error('b');
  const work = (seen: unknown[]) => async (tenant: unknown) => {
    seen.push(tenant);
    await later();
    if (tenant === 'b') throw failing;
  };

  it('stops at the first error, having awaited those under way', async () => {
    const seen: unknown[] = [];
    const error = await stoppedBy(runForEach(['a', 'b', 'c'], work(seen), {}));
    expect(seen).toEqual(['a', 'b']);
    expect(error).toMatchObject({ code: 'TENANT_FOR_EACH_STOPPED', cause: failing });
    expect(error.message).toContain('tenant "b" failed: 1 done, 1 failed, 1 skipped');
    expect(error.outcomes.map(({ status }) => status)).toEqual(['done', 'failed', 'skipped']);
  });

  it('starts no tenant after the signal, and gives it to those that run', async () => {
    const run = async (onError: 'stop' | 'collect') => {
      const stop = new AbortController();
      const seen: string[] = [];
      const report = await runForEach(
        ['a', 'b', 'c', 'd'],
        async (tenant, { signal }) => {
          if (tenant === 'b') stop.abort(new Error('enough'));
          await later();
          seen.push(`${tenant as string} ${signal.aborted}`);
        },
        { concurrency: 2, signal: stop.signal, onError },
      ).catch((error: unknown) => error);
      expect(seen).toEqual(['a true', 'b true']);
      return report;
    };
    const statuses = ['done', 'done', 'skipped', 'skipped'];
    const collected = (await run('collect')) as TenantOutcome[];
    expect(collected.map(({ status }) => status)).toEqual(statuses);
    const stopped = (await run('stop')) as TenantForEachError;
    expect(stopped).toMatchObject({ cause: { message: 'enough' } });
    expect(stopped.message).toContain('its `signal` aborted');
    expect(stopped.outcomes.map(({ status }) => status)).toEqual(statuses);
  });

  it('runs nothing for a signal that has aborted', async () => {
    const seen: unknown[] = [];
    const outcomes = await runForEach(['a'], work(seen), {
      signal: AbortSignal.abort(),
      onError: 'collect',
    });
    expect(seen).toEqual([]);
    expect(outcomes).toEqual([{ tenant: 'a', ms: 0, status: 'skipped' }]);
  });

  it('tells progress of each tenant without a tenant, and survives a listener that throws', async () => {
    Logger.overrideLogger(false);
    const told: [string, ForEachProgress, unknown][] = [];
    const tenant = createTenantContext({ tenantId: 'caller' });
    await enterScope({ kind: 'tenant', tenant }, () =>
      runForEach(['a', 'b', 'c'], work([]), {
        onError: 'collect',
        onProgress: (outcome, progress) => {
          told.push([`${outcome.tenant} ${outcome.status}`, progress, currentScope()?.kind]);
          throw new Error('of the listener');
        },
      }),
    );
    expect(told).toEqual([
      ['a done', { finished: 1, total: 3 }, 'none'],
      ['b failed', { finished: 2, total: 3 }, 'none'],
      ['c done', { finished: 3, total: 3 }, 'none'],
    ]);
  });

  it('keeps nothing of the work for 10,000 tenants but its outcomes', async () => {
    const tenants = Array.from({ length: 10_000 }, (_, i) => `t${i}`);
    const before = process.memoryUsage.rss();
    let held = 0;
    const outcomes = await runForEach(
      tenants,
      async () => {
        const work = Buffer.alloc(100_000);
        await Promise.resolve();
        held = Math.max(held, process.memoryUsage.rss());
        return work.length > 0;
      },
      { concurrency: 8 },
    );
    expect(outcomes).toHaveLength(10_000);
    // All of the work together would be 1 GB.
    expect(held - before).toBeLessThan(300_000_000);
  });

  it('collects errors when asked to', async () => {
    const seen: unknown[] = [];
    const outcomes = await runForEach(['a', 'b', 'c'], work(seen), { onError: 'collect' });
    expect(seen).toEqual(['a', 'b', 'c']);
    expect(outcomes.map(({ status }) => status)).toEqual(['done', 'failed', 'done']);
    expect(outcomes[1]).toEqual({
      tenant: 'b',
      ms: expect.any(Number),
      status: 'failed',
      error: failing,
    });
  });

  it.each([0, -1, 1.5, Number.NaN])('refuses the concurrency %p', async (concurrency) => {
    await expect(runForEach(['a'], later, { concurrency })).rejects.toThrow(TenantOptionError);
  });
});
