import { describe, expect, it } from '@jest/globals';
import { tokenScopesOf } from './token-scopes.js';

describe('the scopes of a token', () => {
  it.each<[Record<string, unknown>, string[]]>([
    [{}, []],
    [{ scope: 'a b' }, ['a', 'b']],
    [{ scope: '  a\n b ' }, ['a', 'b']],
    [{ scope: ['a', 'b'] }, ['a', 'b']],
    [{ scp: 'a b' }, ['a', 'b']],
    [{ scp: ['a', 'b'] }, ['a', 'b']],
    [{ scope: 'a b', scp: ['b', 'c'] }, ['a', 'b', 'c']],
    [{ scope: null, scp: [7, {}, ['a']] }, []],
  ])('%j', (claims, scopes) => {
    expect(tokenScopesOf(claims)).toEqual(scopes);
  });
});
