import { describe, expect, it } from '@jest/globals';
import { TenantOptionError } from '../tenant.errors.js';
import { forEachOf } from './for-each.js';

const later = () => new Promise((resolve) => setTimeout(resolve, 1));

describe('forEachOf', () => {
  it('keeps the order of the list, and no more under way than allowed', async () => {
    let underWay = 0;
    let most = 0;
    const outcomes = await forEachOf(
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
      ['a', 'b', 'c', 'd'].map((tenant) => ({ tenant, status: 'done', value: tenant })),
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
    await expect(forEachOf(['a', 'b', 'c'], work(seen), {})).rejects.toBe(failing);
    expect(seen).toEqual(['a', 'b']);
  });

  it('collects errors when asked to', async () => {
    const seen: unknown[] = [];
    const outcomes = await forEachOf(['a', 'b', 'c'], work(seen), { onError: 'collect' });
    expect(seen).toEqual(['a', 'b', 'c']);
    expect(outcomes.map(({ status }) => status)).toEqual(['done', 'failed', 'done']);
    expect(outcomes[1]).toEqual({ tenant: 'b', status: 'failed', error: failing });
  });

  it.each([0, -1, 1.5, Number.NaN])('refuses the concurrency %p', async (concurrency) => {
    await expect(forEachOf(['a'], later, { concurrency })).rejects.toThrow(TenantOptionError);
  });
});
