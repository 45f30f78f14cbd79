import { describe, expect, it } from '@jest/globals';
import { RequestMethod } from '@nestjs/common';
import { ApplicationConfig } from '@nestjs/core';
import { socketPathOf, urlOf } from './socket-path.js';

function config(prefix: string, method = RequestMethod.ALL): ApplicationConfig {
  const it = new ApplicationConfig();
  it.setGlobalPrefix(prefix);
  const exclude = [{ path: 'open', pathRegex: /^\/open$/, requestMethod: method }];
  it.setGlobalPrefixOptions({ exclude });
  return it;
}

describe('urlOf', () => {
  it.each([
    ['', '/graphql'],
    ['api', '/api/graphql'],
    ['/api/v1/', '/api/v1/graphql'],
  ])('puts a path below the prefix %p', (prefix, url) => {
    expect(urlOf('/graphql', config(prefix))).toBe(url);
  });

  it('leaves out a prefix that excludes the path for each verb', () => {
    expect(urlOf('/open', config('api'))).toBe('/open');
    expect(urlOf('/open', config('api', RequestMethod.GET))).toBe('/api/open');
  });
});

describe('socketPathOf', () => {
  it.each([
    ['graphql', '/graphql'],
    ['/a/b//', '/a/b'],
    ['/', '/'],
  ])('normalizes %p', (path, normal) => expect(socketPathOf(path)).toBe(normal));

  it.each(['/a?b', '/a#b', '/a b'])('refuses %p', (path) => {
    expect(() => socketPathOf(path)).toThrow(/^The subscription path is "\/a.b"/);
  });
});
