import { describe, expect, it } from '@jest/globals';
import { explorerPage } from './explorer-page.js';

/** The addresses in a page, resolved by a browser that opened `path`. */
function addressesIn(page: string, path: string): string[] {
  return [...page.matchAll(/(?:src|href|data-socket)="(\.[^"]*)"/g)].map(
    ([, address]) => new URL(address!, `http://host${path}`).pathname,
  );
}

describe('explorerPage()', () => {
  it.each([
    ['/graphql', '/graphql'],
    ['/api/graphql', '/api/graphql'],
    ['/api/graphql', '/sockets'],
    ['/graphql', '/sockets/all'],
    ['/', '/'],
  ])('at %s has addresses of its files, and of the sockets at %s', (path, socket) => {
    const below = path === '/' ? '' : path;
    expect(addressesIn(explorerPage(path, socket), path)).toEqual([
      socket,
      `${below}/explorer.css`,
      `${below}/explorer.js`,
    ]);
  });

  it('has relative addresses, which hold behind a proxy that strips a prefix', () => {
    expect(addressesIn(explorerPage('/graphql', '/graphql'), '/shop/graphql')).toEqual([
      '/shop/graphql',
      '/shop/graphql/explorer.css',
      '/shop/graphql/explorer.js',
    ]);
  });

  it('names no socket for event streams', () => {
    expect(explorerPage('/graphql', undefined)).toContain('data-socket=""');
  });

  it('escapes a path', () => {
    const page = explorerPage('/a"><script>alert(1)</script>', undefined);
    expect(page).not.toContain('<script>alert');
    expect(page).toContain('/a&quot;&gt;&lt;script&gt;');
  });
});
