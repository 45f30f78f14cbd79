// Needs PostgreSQL, Redis.
// One application on both majors of NestJS, with the libs as npm would publish them. On 11 it has nestjs-cls 6.
// Run `npm run build` before.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type Consumer, consumer, packLibs, temporaryFolder } from '../support/consumer.js';
import { root } from '../support/snippets.js';
import { packetWays } from '../../libs/tenant/test/transports/brokers.js';

const NEST_11 = [
  '@nestjs/common',
  '@nestjs/core',
  '@nestjs/microservices',
  '@nestjs/platform-express',
  '@nestjs/platform-fastify',
  'nestjs-cls',
];

const REFUSED = [
  expect.stringContaining('{ schema } of @Body() in BodyController.create (parameter 1)'),
  expect.stringContaining('{ schema } of @Query() in NamedController.find (parameter 2)'),
];

const tarballs = temporaryFolder();
const source = readFileSync(join(root, 'test/support/nest11-app.ts'), 'utf8');
let libs: ReadonlyMap<string, string>;

beforeAll(() => {
  libs = packLibs(tarballs);
});
afterAll(() => rmSync(tarballs, { recursive: true }));

describe.each([
  { nest: '11', type: 'commonjs' },
  { nest: '11', type: 'module' },
  // Here nestjs-cls 7 is loaded twice: by require() for the application, by import for the libs.
  { nest: '12', type: 'commonjs' },
])('an application on NestJS $nest, of type $type', ({ nest, type }) => {
  let installed: Consumer;
  let folder: string;

  beforeAll(() => {
    installed = consumer(libs, 'all');
    if (nest === '11') installNest11(installed);
    const compiled = installed.compile({
      name: 'app',
      files: { 'app.ts': source, 'package.json': JSON.stringify({ type }) },
      compilerOptions: { strict: true, isolatedModules: true },
    });
    expect(compiled.errors).toEqual([]);
    folder = compiled.folder;
  });
  afterAll(() => installed.remove());

  it.each(['express', 'fastify'])(
    'keeps allow-lists, context and tenant, migrates tenants, and refuses ignored schemas, on %s',
    async (platform) => {
      const ways = await messageWays(nest);
      const args = [join(folder, 'dist/app.js'), platform, JSON.stringify(ways)];
      const said = execFileSync(process.execPath, args, {
        cwd: installed.folder,
        encoding: 'utf8',
        env: { ...process.env, NODE_OPTIONS: '' },
      });
      expect(JSON.parse(said)).toEqual({
        nest,
        // The allow-list of @Qs() and the options of QueryModule hold.
        allowed: {
          filters: [{ field: 'status', operator: 'eq', value: 'open' }],
          isRaw: false,
          limit: 40,
          total: 0,
        },
        refused: { filters: [], isRaw: false, limit: 20, total: 0 },
        one: { id: '7', user: 'user ann', tenant: 'acme', ofMiddleware: 'kept' },
        messages: ways.map(({ name }) => [name, 'acme', 'TENANT_NOT_RESOLVED']),
        lifecycle: [true, ['acme']],
        input: ['filter', 'page', 'limit', 'q'],
        call: {
          content: [
            {
              type: 'text',
              text: '{"id":"8","user":"user ann","tenant":"acme","ofMiddleware":"kept"}',
            },
          ],
          isError: false,
        },
        boots: nest === '11' ? REFUSED : ['booted', 'booted'],
      });
    },
  );
});

/** All with a broker here. NATS not on 11, which needs its older package. */
async function messageWays(nest: string): Promise<{ readonly name: string }[]> {
  const ways = await packetWays();
  return ways
    .filter(({ name }) => nest === '12' || name !== 'NATS')
    .map(({ name, server }) => ({ name, ...server }));
}

function installNest11({ folder }: Consumer): void {
  for (const name of NEST_11) {
    const place = join(folder, 'node_modules', name);
    rmSync(place, { force: true });
    symlinkSync(join(root, 'test/nest11/node_modules', name), place, 'junction');
  }
}
