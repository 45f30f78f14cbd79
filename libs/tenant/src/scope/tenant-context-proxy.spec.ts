import { describe, expect, it } from '@jest/globals';
import { inspect } from 'node:util';
import { createTenantContext } from '../tenant-context.js';
import { tenantContextProxy } from './tenant-context-proxy.js';
import { enterScope } from './tenant-scope.js';

const tenant = tenantContextProxy();
const inside = <T>(tenantId: string, look: () => T): T =>
  enterScope(
    { kind: 'tenant', tenant: createTenantContext({ tenantId, data: { secret: 1 } }) },
    look,
  );

describe('TENANT_CONTEXT', () => {
  it('looks like the tenant of whoever reads it', () => {
    inside('acme', () => {
      expect(JSON.stringify(tenant)).toBe('{"tenantId":"acme"}');
      expect({ ...tenant }).toEqual({ tenantId: 'acme' });
      expect(Object.keys(tenant)).toEqual(['tenantId']);
      expect('tenantId' in tenant).toBe(true);
      expect(inspect(tenant)).toBe("{ tenantId: 'acme' }");
      expect(tenant.data).toEqual({ secret: 1 });
      expect(inside('beta', () => tenant.tenantId)).toBe('beta');
      expect(tenant.tenantId).toBe('acme');
    });
  });

  it('is no promise', async () => {
    await inside('acme', async () => {
      expect(await Promise.resolve(tenant)).toBe(tenant);
    });
  });

  it('cannot be written', () => {
    inside('acme', () => {
      const anyone = tenant as unknown as Record<string, unknown>;
      expect(() => (anyone['tenantId'] = 'evil')).toThrow(TypeError);
      expect(() => delete anyone['tenantId']).toThrow(TypeError);
      expect(() => Object.defineProperty(anyone, 'tenantId', { value: 'evil' })).toThrow(TypeError);
      expect(() => Object.setPrototypeOf(anyone, null)).toThrow(TypeError);
      expect(tenant.tenantId).toBe('acme');
    });
  });

  it('throws where there is no tenant, naming what was read', () => {
    expect(() => tenant.tenantId).toThrow(
      expect.objectContaining({
        code: 'TENANT_CONTEXT_MISSING',
        message: expect.stringContaining('TENANT_CONTEXT.tenantId'),
      }),
    );
    expect(() => JSON.stringify({ tenant })).toThrow(/TENANT_CONTEXT/);
    expect(() => ({ ...tenant })).toThrow(/TENANT_CONTEXT/);
  });

  it('can be looked at by frameworks at boot', () => {
    const probes = ['then', 'onModuleInit', 'onModuleDestroy', 'constructor', Symbol.toStringTag];
    for (const probe of probes) expect(() => Reflect.get(tenant, probe)).not.toThrow();
    expect(inspect(tenant)).toContain('no tenant here');
    expect('onModuleInit' in tenant).toBe(false);
  });
});
