// Each subpath, imported where its ORM is not installed, says which package to install.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import ts from 'typescript';

const source = fileURLToPath(new URL('../src', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'fledge-query-alone-'));

beforeAll(() => {
  for (const entry of readdirSync(source, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name.endsWith('.spec.ts')) continue;
    const at = join(folder, entry.parentPath.slice(source.length));
    mkdirSync(at, { recursive: true });
    const { outputText } = ts.transpileModule(
      readFileSync(join(entry.parentPath, entry.name), 'utf8'),
      {
        compilerOptions: {
          module: ts.ModuleKind.ES2022,
          target: ts.ScriptTarget.ES2022,
          experimentalDecorators: true,
        },
      },
    );
    writeFileSync(join(at, entry.name.replace('.ts', '.js')), outputText);
  }
  cpSync(join(source, '../package.json'), join(folder, 'package.json'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function imported(subpath: string): string {
  const code = `await import('./${subpath}/index.js').then(
    () => console.log('imported'),
    ({ name, code, message }) => console.log(name, code, message),
  )`;
  return execFileSync(process.execPath, ['--input-type=module', '-e', code], {
    cwd: folder,
    encoding: 'utf8',
  }).trim();
}

describe('without its ORM', () => {
  it.each([
    ['drizzle', 'drizzle-orm'],
    ['kysely', 'kysely'],
    ['typeorm', 'typeorm'],
    ['mikro-orm', '@mikro-orm/core'],
  ])('@fledge/query/%s says to install %s', (subpath, peer) => {
    expect(imported(subpath)).toBe(
      `MissingPeerError QUERY_MISSING_PEER @fledge/query/${subpath} needs ${peer}, ` +
        `which is not installed. Run: npm install ${peer}`,
    );
  });

  it.each(['knex', 'mongoose', 'prisma', 'memory'])('@fledge/query/%s imports none', (subpath) => {
    expect(imported(subpath)).toBe('imported');
  });
});
