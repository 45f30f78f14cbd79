// Needs PostgreSQL, Redis, RabbitMQ.
// One application on both majors of NestJS, with the libs as npm would publish them. On 11 it has nestjs-cls 6.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Compiled, type Consumer, consumer } from '../support/consumer.js';
import { succeed } from '../support/ended.js';
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

const OPEN = { field: 'status', operator: 'eq', value: 'open' };

const TYPES = ['commonjs', 'module'] as const;
const source = readFileSync(join(root, 'test/support/nest11-app.ts'), 'utf8');

/** By major of NestJS. */
let places: Readonly<Record<string, Consumer>>;
let compiled: Compiled;

beforeAll(() => {
  places = { 11: consumer('all'), 12: consumer('all') };
  for (const name of NEST_11)
    places['11']!.install(name, join(root, 'test/nest11/node_modules', name));
  // consumer.spec.ts compiles it against the types of NestJS 12.
  const files = TYPES.map((type) => ({
    [`${type}/app.ts`]: source,
    [`${type}/package.json`]: JSON.stringify({ type }),
    [`dist/${type}/package.json`]: JSON.stringify({ type }),
  }));
  compiled = places['11']!.compile({
    name: 'app',
    files: Object.assign({}, ...files) as Record<string, string>,
    compilerOptions: { strict: true, isolatedModules: true },
  });
  cpSync(compiled.folder, join(places['12']!.folder, 'app'), { recursive: true });
});

it('an application on NestJS 11 compiles, as a CommonJS and as an ES module', () => {
  expect(compiled.errors).toEqual([]);
});

describe.each([
  { nest: '11', type: 'commonjs' },
  { nest: '11', type: 'module' },
  // Here nestjs-cls 7 is loaded twice: by require() for the application, by import for the libs.
  { nest: '12', type: 'commonjs' },
])('an application on NestJS $nest, of type $type', ({ nest, type }) => {
  it.each(['express', 'fastify'])(
    'keeps allow-lists, context and tenant, migrates tenants, and refuses ignored schemas, on %s',
    async (platform) => {
      const ways = await messageWays(nest);
      const { folder } = places[nest]!;
      const app = join(folder, 'app/dist', type, 'app.js');
      const said = succeed(process.execPath, [app, platform, JSON.stringify(ways)], {
        cwd: folder,
      });
      expect(JSON.parse(said)).toEqual({
        nest,
        // The allow-list of @Qs() and the options of QueryModule hold.
        allowed: {
          filters: [OPEN],
          isRaw: false,
          limit: 40,
          total: 0,
        },
        queried: [OPEN],
        searched: { content: [{ type: 'text', text: JSON.stringify([OPEN]) }], isError: false },
        refused: { filters: [], isRaw: false, limit: 20, total: 0 },
        one: { id: '7', user: 'user ann', tenant: 'acme', ofMiddleware: 'kept' },
        messages: ways.map(({ name }) => [name, 'acme', 'TENANT_NOT_RESOLVED']),
        lifecycle: [true, ['acme']],
        codes: ['TENANT_NOT_RESOLVED', nest === '11' ? null : 'TENANT_NOT_RESOLVED'],
        input: ['filter', 'page', 'limit'],
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
