// The types of the built package need no optional package.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const DIST = fileURLToPath(new URL('../../libs/graphql/dist', import.meta.url));

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

it('the declarations of @fledge/graphql need required packages only', () => {
  const packages = packagesOf(`${DIST}/index.d.ts`);
  expect([...packages].toSorted()).toEqual([
    '@fledge/core',
    '@fledge/core/packages',
    '@nestjs/common',
    '@nestjs/core',
    'graphql',
    'node:http',
  ]);
});

it('forRoot() without a schema does not compile', () => {
  const text = readFileSync(`${DIST}/mount/graphql-mount.module.d.ts`, 'utf8');
  expect(text).toMatch(
    /forRoot\(options: GraphQlPluginOptions \| WithSchema<GraphqlMountOptions>\)/,
  );
});
