// Runs the built package in a separate process, because Jest has its own module resolution.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';

const at = (file: string) => fileURLToPath(new URL(`../peers/${file}`, import.meta.url));

const { peerDependenciesMeta } = JSON.parse(readFileSync(at('../../package.json'), 'utf8')) as {
  peerDependenciesMeta: object;
};

/** What became of an application for each of `uses`, without the packages of `without`. */
async function start(uses: readonly string[], without: readonly string[]): Promise<string[]> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--no-warnings', '--import', at('without.mjs'), at('app.mjs'), ...uses],
    { env: { ...process.env, WITHOUT: without.join() } },
  );
  return stdout.trimEnd().split('\n');
}

describe('a package that is not installed', () => {
  const packages = ['graphql-yoga', 'graphql-query-complexity'];

  it('stops the boot of an application that uses it, and names the command', async () => {
    expect(await start(packages, packages)).toEqual([
      'GRAPHQL_MISSING_PEER: yoga() needs the package "graphql-yoga", which is not installed: npm install graphql-yoga',
      'GRAPHQL_MISSING_PEER: limits.cost needs the package "graphql-query-complexity", which is not installed: npm install graphql-query-complexity',
    ]);
    expect(await start(packages, [])).toEqual(['started', 'started']);
  });

  it('is not needed by an application that does not use it', async () => {
    const optional = Object.keys(peerDependenciesMeta);
    expect(optional.join()).toContain(
      'graphql-query-complexity,graphql-ws,graphql-yoga,mercurius,ws',
    );
    expect(await start(['graphql-http'], optional)).toEqual(['started']);
  });
});
