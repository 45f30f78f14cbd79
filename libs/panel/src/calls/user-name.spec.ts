import { describe, expect, it } from '@jest/globals';
import type { RequestContext } from '@fledge/core';
import { userNameOf } from './user-name.js';

const nameOf = (user: unknown) => userNameOf({ get: () => user } as unknown as RequestContext);

describe('userNameOf', () => {
  it.each<[string | undefined, unknown]>([
    ['ada', { id: 'ada', name: 'Ada Lovelace', email: 'ada@example.com', token: 'hunter2' }],
    ['7', { id: 7, sub: 'other' }],
    ['7', { id: 7n }],
    ['auth0|7', { sub: 'auth0|7', email: 'ada@example.com' }],
    ['7', { userId: 7, username: 'ada' }],
    ['ada@example.com', { id: { $oid: '7' }, email: 'ada@example.com', name: 'Ada' }],
    ['ada', { id: '', username: 'ada', name: 'Ada' }],
    ['Ada', { name: 'Ada' }],
    [undefined, { token: 'hunter2' }],
    [undefined, { name: { first: 'Ada' } }],
    [undefined, 'eyJhbGciOiJIUzI1NiJ9.e30.hunter2'],
    [undefined, 7],
    [undefined, true],
    [undefined, null],
    [undefined, undefined],
  ])('is %j of %p', (name, user) => {
    expect(nameOf(user)).toBe(name);
  });

  it('is short', () => {
    expect(nameOf({ id: 'x'.repeat(1_000) })).toBe(`${'x'.repeat(100)}… 900 more characters`);
  });

  it('passes over a property that cannot be read', () => {
    const user = {
      get id(): string {
        throw new Error('not loaded');
      },
      name: 'Ada',
    };
    expect(nameOf(user)).toBe('Ada');
  });

  it('is undefined without a request', () => {
    expect(userNameOf(undefined)).toBeUndefined();
  });
});
