import { describe, expect, it } from '@jest/globals';
import { Counter, Registry } from 'prom-client';
import { enterScope } from '../scope/tenant-scope.js';
import { createTenantContext } from '../tenant-context.js';
import { tenantMetricLabel } from './tenant-metric-label.js';

const as = <T>(tenantId: string, run: () => T): T =>
  enterScope({ kind: 'tenant', tenant: createTenantContext({ tenantId }) }, run);

describe('tenantMetricLabel', () => {
  it('labels by a function of the tenant', () => {
    const label = tenantMetricLabel({
      by: ({ tenantId }) => (tenantId === 'a' ? 'gold' : undefined),
    });
    expect([as('a', label), as('b', label), label()]).toEqual(['gold', 'other', 'none']);
  });

  it('keeps the series of Prometheus few under 100,000 hostile identifiers', async () => {
    const registers = [new Registry()];
    const requests = new Counter({
      name: 'requests',
      help: 'r',
      labelNames: ['tenant'],
      registers,
    });
    const label = tenantMetricLabel({ by: ({ tenantId }) => tenantId, max: 20 });
    for (let i = 0; i < 100_000; i += 1) as(`evil-${i}`, () => requests.inc({ tenant: label() }));
    const { values } = await requests.get();
    expect(values).toHaveLength(21);
    expect(values.find(({ labels }) => labels.tenant === 'other')?.value).toBe(99_980);
  });

  it('is other where the function throws or returns no text', () => {
    const failing = tenantMetricLabel({
      by: () => {
        throw new Error('no plan');
      },
    });
    expect(as('a', failing)).toBe('other');
    expect(as('a', tenantMetricLabel({ by: () => 7 as never }))).toBe('other');
    expect(as('a', tenantMetricLabel({ by: () => '' }))).toBe('other');
  });

  it.each([0, -1, 1.5])('refuses the max %p', (max) => {
    expect(() => tenantMetricLabel({ by: () => 'a', max })).toThrow(/max/);
  });
});
