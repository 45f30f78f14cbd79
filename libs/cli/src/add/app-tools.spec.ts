import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { toolsOf } from './app-tools.js';

describe('toolsOf', () => {
  const require = createRequire(import.meta.url);
  const installed = (name: string) => dirname(require.resolve(`${name}/package.json`));
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fledge-app-tools-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function install(name: string, main: string) {
    const path = join(folder, 'node_modules', name);
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, 'package.json'), JSON.stringify({ name, main: 'main.cjs' }));
    writeFileSync(join(path, 'main.cjs'), main);
  }

  /** @param at below the folder */
  function link(name: string, at = 'node_modules') {
    const path = join(folder, at, name);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(installed(name), path);
  }

  /** What TypeScript 7.0 exports. */
  const NO_API = `exports.version = '7.0.2'; exports.versionMajorMinor = '7.0';`;

  it.each([
    ['of the application', () => link('typescript')],
    [
      'of the Nest CLI, if that of the application has no API',
      () => {
        install('typescript', NO_API);
        install('@nestjs/cli', '');
        link('typescript', 'node_modules/@nestjs/cli/node_modules');
      },
    ],
  ])('returns the TypeScript %s', (_which, prepare) => {
    install('@nestjs/schematics', '');
    link('@angular-devkit/schematics');
    prepare();
    expect(toolsOf(folder).compiler.createSourceFile).toBeInstanceOf(Function);
  });

  it.each([
    ['has no API', () => install('typescript', NO_API)],
    ['is missing', () => undefined],
  ])('says what to install if TypeScript %s', (_what, prepare) => {
    install('@nestjs/schematics', '');
    link('@angular-devkit/schematics');
    prepare();
    expect(() => toolsOf(folder)).toThrow(/Run npm install -D typescript@6 in/);
  });

  it('says that the schematics are missing', () => {
    expect(() => toolsOf(folder)).toThrow(/@nestjs\/schematics is not installed in/);
  });
});
