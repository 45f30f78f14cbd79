// Runs the built package in a separate process, where packages can be missing.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';

const at = (file: string) => fileURLToPath(new URL(`../peers/${file}`, import.meta.url));

async function boot(module: string, ...without: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--no-warnings', '--import', at('without.mjs'), at('sockets.mjs'), module],
    { env: { ...process.env, WITHOUT: without.join() } },
  );
  return stdout;
}

describe('an application without the optional packages of sockets', () => {
  it('boots if it serves no subscriptions', async () => {
    expect(await boot('mount', 'ws', 'graphql-ws', '@nestjs/graphql')).toBe('booted');
  });

  it.each(['mountWithSubscriptions', 'subscriptions'])(
    'names the packages to install if it does: %s',
    async (module) => {
      const missing = ['ws', 'graphql-ws'];
      const [booted, ...refused] = await Promise.all(
        ['@nestjs/graphql', ...missing].map((name) => boot(module, name)),
      );
      expect(booted).toBe('booted');
      expect(refused).toEqual(
        missing.map(
          (name) =>
            `GRAPHQL_MISSING_PEER: A GraphQL WebSocket endpoint needs the package "${name}", ` +
            'which is not installed: npm install ws graphql-ws',
        ),
      );
    },
  );

  it('gets an error that names @nestjs/graphql', async () => {
    expect(await boot('apollo', '@nestjs/graphql')).toBe(
      'GRAPHQL_MISSING_PEER: GraphqlSubscriptionsModule.forApollo() needs the package ' +
        '"@nestjs/graphql", which is not installed: npm install @nestjs/graphql',
    );
  });
});
