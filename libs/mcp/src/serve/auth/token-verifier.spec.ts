import { describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { readOptions } from '@fledge-internal/options';
import { OIDC } from '../../options/auth-options.js';
import { placeOf } from '../../options/option-rules.js';
import { tokenScopesOf, TokenVerifier } from './token-verifier.js';

it('reads no key for a token longer than the headers of a request may be', async () => {
  jest.spyOn(Logger.prototype, 'error').mockReturnValue(undefined);
  const jwksUri = 'http://127.0.0.1:1/keys';
  const options = { type: 'oidc', issuer: 'https://a.example', audience: 'b', jwksUri } as const;
  const verifier = await TokenVerifier.load(readOptions(options, OIDC, placeOf('test')));
  const header = Buffer.from('{"alg":"RS256"}').toString('base64url');
  const token = (length: number) => `${header}.${'A'.repeat(length - header.length - 2)}.`;
  expect(await verifier.verify(token(16_385))).toEqual({ kind: 'invalid' });
  expect(await verifier.verify(token(16_384))).toEqual({ kind: 'unavailable' });
});

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
