// Every name that an application may import: its types without optional packages, and require() from CommonJS.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Consumer, consumer, entries, importing } from '../support/consumer.js';
import { succeed } from '../support/ended.js';

/** What needs a package that npm does not install without being asked. */
const NEEDS_MORE =
  /^@fledge\/(core\/loader|query\/(?!memory|nest)|graphql\/|mcp\/(testing|graphql|redis|oauth-bridge)|tenant\/(bullmq|cache|kysely|mikro-orm|microservices|rabbitmq|redis|websockets|throttler))/;

/** The packages that a declaration file imports, and those it imports in turn. */
function packagesOf(file: string, seen = new Set<string>(), found = new Set<string>()) {
  if (seen.has(file) || !existsSync(file)) return found;
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  for (const [, name] of text.matchAll(/(?:from|import\()\s*['"]([^'"]+)['"]/g)) {
    if (!name!.startsWith('.')) found.add(name!);
    else packagesOf(resolve(dirname(file), name!.replace(/\.js$/, '.d.ts')), seen, found);
  }
  return found;
}

describe('the declarations of entries that need no optional package', () => {
  let bare: Consumer;
  beforeAll(() => {
    bare = consumer('required');
  });

  it('hold without one, with skipLibCheck off', () => {
    const own = entries.filter((name) => !NEEDS_MORE.test(name));
    expect(own).toContain('@fledge/mcp');
    const { errors } = bare.compile({
      name: 'entries',
      files: { 'entries.ts': importing(own) },
      compilerOptions: {
        strict: true,
        noUncheckedIndexedAccess: true,
        exactOptionalPropertyTypes: true,
        isolatedModules: true,
        noEmit: true,
      },
    });
    expect(errors).toEqual([]);
  });

  it('import required packages only: @fledge/graphql', () => {
    const declarations = join(bare.folder, 'node_modules/@fledge/graphql/dist/index.d.ts');
    expect([...packagesOf(declarations)].toSorted()).toEqual([
      '@fledge/core',
      '@fledge/core/packages',
      '@nestjs/common',
      '@nestjs/core',
      'graphql',
      'node:http',
    ]);
  });
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
    const file = join(consumer('all').folder, 'every-entry.cjs');
    writeFileSync(file, PROGRAM);
    const said = succeed(process.execPath, [file]);
    expect(entries.length).toBeGreaterThan(20);
    expect(JSON.parse(said)).toEqual(
      Object.fromEntries(entries.map((name) => [name, [true, true]])),
    );
  });
});
