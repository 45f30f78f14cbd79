import { describe, expect, it } from '@jest/globals';
import { type Claims, openClaims, signClaims } from './signed-claims.js';
import { MemoryUsedCodes } from './impersonation.options.js';

const secret = 'a secret of more than thirty-two bytes';
const claims: Claims = {
  id: 'id',
  tenantId: 'Zoë/ü',
  by: 'sam',
  reason: 'ticket 7',
  issuedAt: 100_000,
  expiresAt: 160_000,
};
const opened = (text: unknown, now: number, kind: 'code' | 'session' = 'code') =>
  openClaims(kind, text, [secret], now);

describe('signed claims', () => {
  const text = signClaims('code', claims, secret);

  it('allows for clocks that differ by 5 seconds, and for no more', () => {
    expect(opened(text, 130_000)).toEqual({ claims });
    expect(opened(text, 95_000).why).toBeUndefined();
    expect(opened(text, 94_999).why).toBe('early');
    expect(opened(text, 164_999).why).toBeUndefined();
    expect(opened(text, 165_000).why).toBe('expired');
  });

  it('accepts no character changed, added or left out', () => {
    for (let i = 0; i < text.length; i += 1) {
      for (const other of ['A', 'B', '']) {
        if (other === text[i]) continue;
        const changed = text.slice(0, i) + other + text.slice(i + 1);
        expect(opened(changed, 130_000).why).toMatch(/^(forged|malformed)$/);
      }
    }
  });

  it('accepts a code as no session, and no secret but its own', () => {
    expect(opened(text, 130_000, 'session').why).toBe('forged');
    expect(openClaims('code', text, ['x'.repeat(32)], 130_000).why).toBe('forged');
  });
});

describe('MemoryUsedCodes', () => {
  it('refuses codes while it is full, and those from before its start', () => {
    let now = 1_000;
    const used = new MemoryUsedCodes(2, () => now);
    const take = (id: string, issuedAt = now) => used.take({ id, issuedAt, keepUntil: now + 100 });
    expect([take('a'), take('a'), take('b'), take('c')]).toEqual([true, false, true, false]);
    expect(take('old', 999)).toBe(false);
    now += 100;
    expect([take('c'), take('c')]).toEqual([true, false]);
  });
});
