// What `npm start`, `npm test` and `npm run check` do first.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { root } from '../support/snippets.js';

describe('the installation', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fledge-install-'));
    mkdirSync(join(folder, 'node_modules'));
    writeFileSync(join(folder, 'package.json'), '{ "dependencies": { "left-out": "1.0.0" } }');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const lock = (file: string, packages: Record<string, object>) =>
    writeFileSync(
      join(folder, file),
      JSON.stringify({ name: 'app', lockfileVersion: 3, requires: true, packages }),
    );
  const wanted = (packages: Record<string, object>) => lock('package-lock.json', packages);
  const present = (packages: Record<string, object>) =>
    lock('node_modules/.package-lock.json', packages);

  /** Without a registry, so an installation fails. */
  const install = () =>
    spawnSync(process.execPath, [join(root, 'scripts/install-if-needed.mjs')], {
      cwd: folder,
      encoding: 'utf8',
      env: {
        ...process.env,
        npm_config_offline: 'true',
        npm_config_cache: join(folder, 'cache'),
      },
    });

  it('is left out where the packages of the lock file are there, whatever the dates of the files', () => {
    present({ 'node_modules/a': { version: '1.0.0' } });
    wanted({
      'libs/one': { version: '0.1.0' },
      'node_modules/one': { resolved: 'libs/one', link: true },
      'node_modules/a': { version: '1.0.0' },
      'node_modules/of-windows': { version: '1.0.0', optional: true },
    });
    expect(install()).toMatchObject({ status: 0, stdout: '', stderr: '' });
  });

  it.each<[string, Record<string, object>]>([
    ['another version', { 'node_modules/a': { version: '1.1.0' } }],
    ['a package less', {}],
    [
      'a package more',
      { 'node_modules/a': { version: '1.0.0' }, 'node_modules/b': { version: '1.0.0' } },
    ],
  ])('runs where there is %s, and shows why it failed', (_, packages) => {
    present(packages);
    wanted({ 'node_modules/a': { version: '1.0.0' } });
    const { status, stderr } = install();
    expect(status).toBe(1);
    expect(stderr).toMatch(/Installing 1 packages by npm ci: failed \(exit code 1\).*npm error/s);
  });
});
