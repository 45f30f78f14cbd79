import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { explorerFiles, explorerPage, prefersHtml } from './serve-explorer.js';

let root: string;
let folder: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'explorer-'));
  folder = join(root, 'dist/explorer');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(root, 'package.json'), '{ "name": "@fledge/graphql" }');
});
afterEach(() => {
  rmSync(root, { recursive: true });
  jest.restoreAllMocks();
});

describe('explorerFiles()', () => {
  it('are read once', () => {
    writeFileSync(join(folder, 'explorer.js'), 'run()');
    writeFileSync(join(folder, 'explorer.css'), 'p {}');
    const files = explorerFiles(pathToFileURL(`${folder}/`));
    const script = files().get('explorer.js')!;
    expect([files().size, script.bytes.toString()]).toEqual([2, 'run()']);
    writeFileSync(join(folder, 'explorer.js'), 'changed()');
    expect(files().get('explorer.js')).toBe(script);
    expect(files().get('explorer.css')!.etag).not.toBe(script.etag);
  });

  it('are missing, with one warning, if the application was bundled without them', () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const files = explorerFiles(pathToFileURL(`${folder}/`));
    expect([files().size, files().get('explorer.js'), files().size]).toEqual([0, undefined, 0]);
    expect(warn.mock.calls).toEqual([[expect.stringContaining(folder)]]);
  });

  it('are missing where a bundled application has files of these names', () => {
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    writeFileSync(join(root, 'package.json'), '{ "name": "shop" }');
    writeFileSync(join(folder, 'explorer.js'), 'own()');
    writeFileSync(join(folder, 'explorer.css'), 'p {}');
    expect(explorerFiles(pathToFileURL(`${folder}/`))().size).toBe(0);
  });

  it('have two names', () => {
    writeFileSync(join(folder, 'explorer.js'), 'run()');
    writeFileSync(join(folder, 'explorer.css'), 'p {}');
    const files = explorerFiles(pathToFileURL(`${folder}/`))();
    for (const name of ['', 'constructor', '__proto__', '../package.json', 'explorer.js/']) {
      expect([name, files.get(name)]).toEqual([name, undefined]);
    }
    expect([...files.keys()]).toEqual(['explorer.js', 'explorer.css']);
  });
});

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

const BROWSER =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

describe('prefersHtml()', () => {
  it.each([
    [BROWSER],
    ['text/html'],
    ['TEXT/HTML'],
    ['text/html ; q=0.5'],
    ['text/html, application/json;q=0.9'],
    ['application/json;q=0.1,text/html;q=0.2'],
  ])('is true for %s', (accept) => expect(prefersHtml(accept)).toBe(true));

  it.each([
    [undefined],
    [''],
    ['*/*'],
    ['text/*'],
    ['application/json'],
    ['application/graphql-response+json, application/json;q=0.9'],
    // Of equal weight: a client that names a type of GraphQL is no browser that opens a page.
    ['text/html, application/json'],
    ['text/html, application/graphql-response+json'],
    ['text/html;q=0.9, text/event-stream'],
    ['text/html;q=0'],
    ['text/html;q=x'],
    ['application/xhtml+xml'],
    ['text/html5'],
    [`${'text/html;q=0,'.repeat(500)}`],
  ])('is false for %s', (accept) => expect(prefersHtml(accept)).toBe(false));
});
