// Importing a subpath whose ORM is missing or too old throws an error that names the package to install.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const lib = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'fledge-query-alone-'));

beforeAll(() => {
  cpSync(join(lib, 'dist'), folder, {
    recursive: true,
    filter: (path) => !/\.modules|\.d\.ts$/.test(path),
  });
  cpSync(join(lib, 'package.json'), join(folder, 'package.json'));
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
    ['typeorm', 'typeorm'],
  ])('@fledge/query/%s names the package to install: %s', (subpath, peer) => {
    expect(imported(subpath)).toBe(
      `MissingPeerError QUERY_MISSING_PEER @fledge/query/${subpath} needs ${peer}, ` +
        `which is not installed. Run: npm install ${peer}`,
    );
  });

  // Static imports, because their newest versions are ES modules: the error is that of Node.js.
  it.each([
    ['kysely', 'kysely'],
    ['mikro-orm', '@mikro-orm/core'],
  ])('@fledge/query/%s fails with an error that names %s', (subpath, peer) => {
    expect(imported(subpath)).toContain(
      `Error ERR_MODULE_NOT_FOUND Cannot find package '${peer}' imported from ${folder}/${subpath}/`,
    );
  });

  it.each(['knex', 'mongoose', 'prisma', 'memory'])(
    '@fledge/query/%s does not import its ORM',
    (subpath) => {
      expect(imported(subpath)).toBe('imported');
    },
  );
});

describe('with an unsupported version of its ORM', () => {
  it.each([
    ['drizzle', 'drizzle-orm', '0.30.10', '^0.44.0 || ^0.45.0 || ^1.0.0-rc.5'],
    ['kysely', 'kysely', '0.27.6', '^0.28.0 || ^0.29.0'],
    ['knex', 'knex', '1.0.7', '^2.0.0 || ^3.0.1'],
    ['prisma', '@prisma/client', '5.22.0', '^6.0.0 || ^7.0.0'],
    ['typeorm', 'typeorm', '0.2.45', '^0.3.20 || ^1.0.0'],
    ['mikro-orm', '@mikro-orm/core', '5.9.8', '^6.6.0 || ^7.0.0'],
  ])('@fledge/query/%s names %s %s and %s', (subpath, peer, version, range) => {
    const at = join(folder, 'node_modules', peer);
    mkdirSync(join(at, 'dist'), { recursive: true });
    writeFileSync(join(at, 'dist/index.js'), '');
    writeFileSync(
      join(at, 'package.json'),
      JSON.stringify({ name: peer, version, exports: './dist/index.js' }),
    );
    expect(imported(subpath)).toBe(
      `UnsupportedPeerError QUERY_UNSUPPORTED_PEER @fledge/query/${subpath} supports ${peer} ${range}, ` +
        `but ${version} is installed. Run: npm install "${peer}@${range}"`,
    );
  });
});
