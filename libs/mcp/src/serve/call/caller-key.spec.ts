import { describe, expect, it } from '@jest/globals';
import type { CallerTenant } from '@fledge/core/packages';
import { callerOf, localOrigin } from './caller.js';
import { callerKey } from './caller-key.js';

describe('callerKey', () => {
  const keyOf = (
    headers: Record<string, string>,
    principal?: { id: string },
    tenant: CallerTenant = null,
  ) => {
    const origin = localOrigin(Object.entries(headers).flat());
    return callerKey(callerOf(origin, (all) => all, '/', { principal, tenant }));
  };

  it('is the same for every request of one caller', () => {
    const tenant = { 'x-tenant': 'acme', 'x-api-key': 'k' };
    const key = keyOf(tenant);
    for (const name of ['x-request-id', 'X-Correlation-ID', 'traceparent', 'x-b3-traceid']) {
      expect(keyOf({ ...tenant, [name]: '1' })).toBe(key);
    }
    expect(keyOf({ 'X-Api-Key': 'k', 'x-tenant': 'acme' })).toBe(key);
    // Another process of the application may have another port.
    expect(keyOf({ 'x-forwarded-host': 'acme.example.com:8080' })).toBe(
      keyOf({ 'x-forwarded-host': 'acme.example.com' }),
    );
  });

  it('differs where a header may name another user or tenant', () => {
    const others = [
      { 'x-forwarded-host': 'b.example.com' },
      {},
      { 'x-tenant': 'acme' },
      { 'x-tenant': 'other' },
      { authorization: 'a' },
    ];
    const sessions = [{ 'mcp-session-id': '1' }, { 'mcp-session-id': '2' }];
    const keys = [...others, ...sessions].map((headers) => keyOf(headers));
    expect(new Set([...keys, keyOf({}, { id: 'ada' })]).size).toBe(8);
    expect(keyOf({ 'mcp-session-id': '1' }, { id: 'ada' })).toBe(keyOf({}, { id: 'ada' }));
  });

  it('differs between tenants, and between tokens if the tenant is unknown', () => {
    const ada = { id: 'ada' };
    const tenants = ['acme', 'globex', null].map((tenant) => keyOf({}, ada, tenant));
    const unknown = ['1', '2'].map((token) => {
      const origin = localOrigin(['authorization', token]);
      return callerKey(callerOf(origin, (all) => all, '/', { principal: ada }));
    });
    expect(new Set([...tenants, ...unknown]).size).toBe(5);
  });
});
