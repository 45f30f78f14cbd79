import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ExplorerFiles, isExplorerFile } from './explorer-files.js';

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

describe('ExplorerFiles', () => {
  it('are read once', () => {
    writeFileSync(join(folder, 'explorer.js'), 'run()');
    writeFileSync(join(folder, 'explorer.css'), 'p {}');
    const files = new ExplorerFiles(pathToFileURL(`${folder}/`));
    const script = files.get('explorer.js')!;
    expect([files.present, script.bytes.toString()]).toEqual([true, 'run()']);
    writeFileSync(join(folder, 'explorer.js'), 'changed()');
    expect(files.get('explorer.js')).toBe(script);
    expect(files.get('explorer.css')!.etag).not.toBe(script.etag);
  });

  it('are missing, with one warning, if the application was bundled without them', () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const files = new ExplorerFiles(pathToFileURL(`${folder}/`));
    expect([files.present, files.get('explorer.js'), files.present]).toEqual([
      false,
      undefined,
      false,
    ]);
    expect(warn.mock.calls).toEqual([[expect.stringContaining(folder)]]);
  });

  it('are missing where a bundled application has files of these names', () => {
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    writeFileSync(join(root, 'package.json'), '{ "name": "shop" }');
    writeFileSync(join(folder, 'explorer.js'), 'own()');
    writeFileSync(join(folder, 'explorer.css'), 'p {}');
    expect(new ExplorerFiles(pathToFileURL(`${folder}/`)).present).toBe(false);
  });

  it('have two names', () => {
    for (const name of ['', 'constructor', '__proto__', '../package.json', 'explorer.js/']) {
      expect([name, isExplorerFile(name)]).toEqual([name, false]);
    }
    expect(['explorer.js', 'explorer.css'].every(isExplorerFile)).toBe(true);
  });
});
