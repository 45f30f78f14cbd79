// Ways to get at the libs: require() from CommonJS, and types under each `moduleResolution`.
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Consumer,
  consumer,
  entries,
  importing,
  packLibs,
  temporaryFolder,
} from '../support/consumer.js';

const tarballs = temporaryFolder();
let app: Consumer;

beforeAll(() => {
  app = consumer(packLibs(tarballs), 'all');
});
afterAll(() => {
  rmSync(tarballs, { recursive: true });
  app.remove();
});

describe('require() from CommonJS', () => {
  /** What each entry exports, loaded by a CommonJS and by an ESM file of one process. */
  const PROGRAM = `
    const names = ${JSON.stringify(entries)};
    (async () => {
      const found = {};
      for (const name of names) {
        const required = require(name);
        const imported = await import(name);
        const same = Object.keys(imported).every((key) => required[key] === imported[key]);
        found[name] = [Object.keys(required).length > 0, same];
      }
      process.stdout.write(JSON.stringify(found));
    })();`;

  it('loads every entry, and gives what import gives', () => {
    const file = join(app.folder, 'every-entry.cjs');
    writeFileSync(file, PROGRAM);
    const said = execFileSync(process.execPath, [file], {
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    expect(entries.length).toBeGreaterThan(20);
    expect(JSON.parse(said)).toEqual(
      Object.fromEntries(entries.map((name) => [name, [true, true]])),
    );
  });
});

describe('the declarations of every entry, with skipLibCheck off', () => {
  it.each([
    // Reads `main`, `types` and `typesVersions`, not `exports`.
    [{ moduleResolution: 'node10', module: 'commonjs', ignoreDeprecations: '6.0' }, 'entries.ts'],
    [{ moduleResolution: 'node16', module: 'node16' }, 'entries.ts'],
    // A CommonJS file. TypeScript accepts require() of ESM in `nodenext`, and not in `node16`.
    [{ moduleResolution: 'nodenext', module: 'nodenext' }, 'entries.cts'],
    [{ moduleResolution: 'bundler', module: 'esnext' }, 'entries.ts'],
  ])('hold under %j, in %s', (options, file) => {
    const { errors, declarations } = app.compile({
      name: options.moduleResolution,
      files: { [file]: importing(entries) },
      compilerOptions: { ...options, strict: true, noEmit: true },
    });
    expect(errors).toEqual([]);
    expect(declarations).toBeGreaterThan(100);
  });
});
