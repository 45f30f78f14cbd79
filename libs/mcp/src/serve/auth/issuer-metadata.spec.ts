import { expect, it } from '@jest/globals';
import { wellKnownUrlsOf } from './issuer-metadata.js';

it('puts the path of an issuer behind the well-known part, then before it', () => {
  const urls = [
    'https://a.example/.well-known/oauth-authorization-server/b/c',
    'https://a.example/.well-known/openid-configuration/b/c',
    'https://a.example/b/c/.well-known/openid-configuration',
  ];
  expect(wellKnownUrlsOf('https://a.example/b/c')).toEqual(urls);
  expect(wellKnownUrlsOf('https://a.example/b/c/')).toEqual(urls);
});

it('has two for an issuer without path', () => {
  const urls = [
    'https://a.example/.well-known/oauth-authorization-server',
    'https://a.example/.well-known/openid-configuration',
  ];
  expect(wellKnownUrlsOf('https://a.example')).toEqual(urls);
  expect(wellKnownUrlsOf('https://a.example/')).toEqual(urls);
});
