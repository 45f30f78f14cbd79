import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Assets } from './assets.js';

let root: string;
let folder: string;
let server: Server;
let url: string;

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'panel-'));
  folder = join(root, 'dist/ui');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(root, 'package.json'), '{ "name": "@fledge/panel" }');
  writeFileSync(join(folder, 'index.html'), '<!doctype html>');
  writeFileSync(join(folder, 'panel.js'), 'run()');
  writeFileSync(join(folder, 'panel.css'), 'p {}');
  const assets = new Assets(pathToFileURL(`${folder}/`));
  server = createServer((request, response) => {
    assets.send((request.url ?? '').slice(1), request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(() => {
  server.close();
  rmSync(root, { recursive: true });
});

describe('the files of the page', () => {
  it('are read once, and revalidated by etag', async () => {
    writeFileSync(join(folder, 'panel.js'), 'changed()');
    const first = await fetch(`${url}/panel.js`);
    expect(await first.text()).toBe('run()');
    expect(first.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(first.headers.get('cache-control')).toBe('no-cache');
    const etag = first.headers.get('etag')!;
    const again = await fetch(`${url}/panel.js`, { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const page = await fetch(`${url}/`);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('etag')).not.toBe(etag);
  });

  it('are not those that a bundled application has at the same place', () => {
    writeFileSync(join(root, 'package.json'), '{ "name": "shop" }');
    const bundled = new Assets(pathToFileURL(`${folder}/`));
    expect(() => bundled.send('', {} as never, {} as never)).toThrow(
      expect.objectContaining({
        code: 'PANEL_NOT_BUILT',
        message: expect.stringContaining(
          'If you bundle your application, mark @fledge/panel as external',
        ),
      }),
    );
  });

  it('answer 503 where the page was not built', () => {
    const missing = new Assets(pathToFileURL(`${folder}/none/`));
    expect(missing.has('')).toBe(true);
    expect(() => missing.send('', {} as never, {} as never)).toThrow(
      expect.objectContaining({ status: 503, code: 'PANEL_NOT_BUILT' }),
    );
  });
});
