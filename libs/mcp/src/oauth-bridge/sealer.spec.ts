import { expect, it } from '@jest/globals';
import * as jose from 'jose';
import { Sealer } from './sealer.js';

const sealer = (...secrets: string[]) =>
  new Sealer(
    jose,
    secrets.map((secret) => secret.repeat(32)),
  );

it('opens what it sealed, for the same purpose only', async () => {
  const sealed = await sealer('a').seal('account:1', { token: 'secret-token' });
  expect(sealed).not.toContain('secret-token');
  expect(await sealer('a').open('account:1', sealed)).toEqual({ token: 'secret-token' });
  expect(await sealer('a').open('account:2', sealed)).toBeUndefined();
});

it('opens with each secret of the list, and seals with the first', async () => {
  const old = await sealer('a').seal('p', 1);
  const rotated = sealer('b', 'a');
  expect(await rotated.open('p', old)).toBe(1);
  expect(rotated.isCurrent(old)).toBe(false);
  const renewed = await rotated.seal('p', 2);
  expect(rotated.isCurrent(renewed)).toBe(true);
  expect(await sealer('a').open('p', renewed)).toBeUndefined();
  expect(await sealer('b').open('p', renewed)).toBe(2);
  expect(await sealer('b').open('p', old)).toBeUndefined();
});

it('opens nothing that was changed', async () => {
  const sealed = await sealer('a').seal('p', { id: 'ada' });
  const [head, ...rest] = sealed.split('.');
  for (const text of ['', 'x', sealed.slice(0, -2), `${sealed}x`, ['e30', ...rest].join('.')]) {
    expect(await sealer('a').open('p', text)).toBeUndefined();
  }
  expect(head).toBeDefined();
});
