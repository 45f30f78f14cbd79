// An application on NestJS 11 and nestjs-cls 6, compiled to CommonJS and to ES modules, with the libs as npm
// would publish them. Run `npm run build` before.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type Consumer, consumer, packLibs, temporaryFolder } from './support/consumer.js';
import { root } from './support/snippets.js';

const NEST_11 = [
  '@nestjs/common',
  '@nestjs/core',
  '@nestjs/platform-express',
  '@nestjs/platform-fastify',
  'nestjs-cls',
];

const tarballs = temporaryFolder();
const source = readFileSync(join(root, 'test/support/nest11-app.ts'), 'utf8');
let installed: Consumer;

beforeAll(() => {
  installed = consumer(packLibs(tarballs), 'all');
  for (const name of NEST_11) {
    const place = join(installed.folder, 'node_modules', name);
    rmSync(place, { force: true });
    symlinkSync(join(root, 'test/nest11/node_modules', name), place, 'junction');
  }
});

afterAll(() => {
  installed.remove();
  rmSync(tarballs, { recursive: true, force: true });
});

describe.each(['commonjs', 'module'])('an application on NestJS 11, of type %s', (type) => {
  let folder: string;

  beforeAll(() => {
    const files = { 'app.ts': source, 'package.json': JSON.stringify({ type }) };
    const compilerOptions = { strict: true, isolatedModules: true };
    const compiled = installed.compile({ name: type, files, compilerOptions });
    expect(compiled.errors).toEqual([]);
    folder = compiled.folder;
  });

  it.each(['express', 'fastify'])(
    'has its queries read and its schemas refused on %s',
    (platform) => {
      const said = execFileSync(process.execPath, [join(folder, 'dist/app.js'), platform], {
        cwd: installed.folder,
        encoding: 'utf8',
        env: { ...process.env, NODE_OPTIONS: '' },
      });
      expect(JSON.parse(said)).toEqual({
        nest: '11',
        // The allow-list of @Qs() and the options of QueryModule hold.
        allowed: {
          filters: [{ field: 'status', operator: 'eq', value: 'open' }],
          isRaw: false,
          limit: 40,
          total: 0,
        },
        refused: { filters: [], isRaw: false, limit: 20, total: 0 },
        one: { id: '7', user: 'user ann', tenant: 'acme', ofMiddleware: 'kept' },
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
        boots: [
          expect.stringContaining('{ schema } of @Body() in BodyController.create (parameter 1)'),
          expect.stringContaining('{ schema } of @Query() in NamedController.find (parameter 2)'),
        ],
      });
    },
  );
});
