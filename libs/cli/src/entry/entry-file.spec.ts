import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { entryCandidates, findEntry } from './entry-file.js';

const of = (files: Record<string, unknown>) =>
  entryCandidates((path) => {
    const file = files[path];
    return file === undefined || typeof file === 'string' ? file : JSON.stringify(file);
  });

describe('entryCandidates', () => {
  it('are dist/main.js without any file', () => {
    expect(of({})).toEqual(['dist/main.js']);
  });

  it('are those of nest start for a scaffolded project', () => {
    expect(
      of({
        'nest-cli.json': { sourceRoot: 'src' },
        'tsconfig.build.json': { extends: './tsconfig.json', exclude: ['test'] },
        'tsconfig.json': { compilerOptions: { outDir: './dist' } },
      }),
    ).toEqual(['dist/src/main.js', 'dist/main.js']);
  });

  it('follow entryFile and the outDir of the build', () => {
    expect(
      of({
        'nest-cli.json': {
          entryFile: 'server',
          compilerOptions: { tsConfigPath: 'tsconfig.app.json' },
        },
        'tsconfig.app.json': '{ /* built */ "compilerOptions": { "outDir": "build", }, // end\n }',
        'package.json': { main: './lib/index.js' },
      }),
    ).toEqual([
      'build/src/server.js',
      'build/server.js',
      'dist/src/server.js',
      'dist/server.js',
      'lib/index.js',
      'dist/main.js',
    ]);
  });

  it('are those of the default project in a monorepo', () => {
    const found = of({
      'nest-cli.json': {
        monorepo: true,
        root: 'apps/shop',
        sourceRoot: 'apps/shop/src',
        projects: {
          blog: { root: 'apps/blog', sourceRoot: 'apps/blog/src', entryFile: 'blog' },
          shop: {
            root: 'apps/shop',
            sourceRoot: 'apps/shop/src',
            entryFile: 'shop',
            compilerOptions: { tsConfigPath: 'apps/shop/tsconfig.app.json' },
          },
        },
      },
      'apps/shop/tsconfig.app.json': {
        extends: '../../tsconfig.json',
        compilerOptions: { outDir: '../../dist/apps/shop' },
      },
    });
    expect(found).toEqual(expect.arrayContaining(['dist/apps/shop/shop.js']));
    expect(found.filter((path) => path.includes('blog'))).toEqual([]);
  });

  it('ignore a main that is not JavaScript, and a tsconfig that cannot be read', () => {
    expect(
      of({
        'package.json': { main: 'src/main.ts' },
        'nest-cli.json': {},
        'tsconfig.json': '{',
      }),
    ).toEqual(['dist/src/main.js', 'dist/main.js']);
  });

  it('refuse a nest-cli.json that is not JSON, with the position', () => {
    expect(() => of({ 'nest-cli.json': '{ "a": }' })).toThrow(
      /^nest-cli\.json is not valid JSON: line 1, column 8/,
    );
  });

  it('end with a circle of extends', () => {
    expect(of({ 'nest-cli.json': {}, 'tsconfig.json': { extends: './tsconfig.json' } })).toContain(
      'dist/main.js',
    );
  });
});

describe('findEntry', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fledge-entry-'));
  writeFileSync(join(folder, 'app.js'), '');
  afterAll(() => rmSync(folder, { recursive: true }));

  it('returns the file given', () => {
    expect(findEntry(folder, 'app.js')).toBe(join(folder, 'app.js'));
  });

  it('looks first in the current folder, or in that of the application', () => {
    const other = mkdtempSync(join(tmpdir(), 'fledge-client-'));
    writeFileSync(join(other, 'app.js'), '');
    const before = process.cwd();
    try {
      process.chdir(other);
      expect(findEntry(folder, 'app.js')).toBe(join(process.cwd(), 'app.js'));
      expect(findEntry(folder, 'app.js', 'application')).toBe(join(folder, 'app.js'));
    } finally {
      process.chdir(before);
      rmSync(other, { recursive: true });
    }
  });

  it.each([
    ['src/main.ts', /^--entry src\/main\.ts is a TypeScript file.*npm run build/],
    ['nope.js', /^--entry nope\.js does not exist in /],
  ])('refuses %s', (entry, message) => {
    expect(() => findEntry(folder, entry)).toThrow(message);
  });

  it('names the files it tried, and the cure', () => {
    expect(() => findEntry(folder)).toThrow(
      /Searched for dist\/main\.js\. Build the application \(npm run build\)/,
    );
  });
});
