import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { explorerFiles } from './explorer-files.js';

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
