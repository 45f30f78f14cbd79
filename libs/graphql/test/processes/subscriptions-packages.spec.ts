// Runs the built package in a separate process, where packages can be missing.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';

const at = (file: string) => fileURLToPath(new URL(`../peers/${file}`, import.meta.url));

/** What became of an application with each of the modules, without some packages. */
async function boot(modules: readonly string[], without: readonly string[]): Promise<string[]> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--no-warnings', '--import', at('without.mjs'), at('sockets.mjs'), ...modules],
    { env: { ...process.env, WITHOUT: without.join() } },
  );
  return stdout.trimEnd().split('\n');
}

describe('an application without the optional packages of sockets', () => {
  it('boots if it serves no subscriptions', async () => {
    expect(await boot(['mount'], ['ws', 'graphql-ws', '@nestjs/graphql'])).toEqual(['booted']);
  });

  it.each(['ws', 'graphql-ws'])('names the packages to install if it does: %s', async (name) => {
    const error =
      `GRAPHQL_MISSING_PEER: A GraphQL WebSocket endpoint needs the package "${name}", ` +
      'which is not installed: npm install ws graphql-ws';
    const modules = ['mountWithSubscriptions', 'subscriptions'];
    expect(await boot(modules, [name])).toEqual([error, error]);
  });

  it('needs @nestjs/graphql with Apollo only', async () => {
    const modules = ['mountWithSubscriptions', 'subscriptions', 'apollo'];
    expect(await boot(modules, ['@nestjs/graphql'])).toEqual([
      'booted',
      'booted',
      'GRAPHQL_MISSING_PEER: GraphqlSubscriptionsModule.forApollo() needs the package ' +
        '"@nestjs/graphql", which is not installed: npm install @nestjs/graphql',
    ]);
  });
});
