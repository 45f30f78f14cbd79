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

async function start(use: string, without: string): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--no-warnings', '--import', at('without.mjs'), at('app.mjs'), use],
    { env: { ...process.env, WITHOUT: without } },
  );
  return stdout;
}

describe('a package that is not installed', () => {
  it('stops the boot of an application that uses it, and names the command', async () => {
    expect(await start('graphql-yoga', 'graphql-yoga')).toBe(
      'GRAPHQL_MISSING_PEER: yoga() needs the package "graphql-yoga", which is not installed: npm install graphql-yoga',
    );
    expect(await start('graphql-jit', 'graphql-jit')).toBe(
      'GRAPHQL_MISSING_PEER: jit() needs the package "graphql-jit", which is not installed: npm install graphql-jit',
    );
    expect(await start('graphql-query-complexity', 'graphql-query-complexity')).toBe(
      'GRAPHQL_MISSING_PEER: limits.cost needs the package "graphql-query-complexity", which is not installed: npm install graphql-query-complexity',
    );
    expect(await start('graphql-jit', 'none')).toBe('started');
    expect(await start('graphql-query-complexity', 'none')).toBe('started');
    expect(await start('graphql-yoga', 'none')).toBe('started');
  });

  it('is not needed by an application that does not use it', async () => {
    const optional = Object.keys(peerDependenciesMeta).join();
    expect(optional).toContain(
      'graphql-jit,graphql-query-complexity,graphql-ws,graphql-yoga,mercurius,ws',
    );
    expect(await start('graphql-http', optional)).toBe('started');
  });
});
