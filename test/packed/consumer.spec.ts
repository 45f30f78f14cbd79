// An application as a user builds it: by tsc, which emits decorators otherwise than the compiler of the other specs,
// against the packed libs, which the other specs read as sources.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type Compiled, type Consumer, consumer, entries, importing } from '../support/consumer.js';
import { documents } from '../support/documents.js';
import { type Running, start } from '../support/processes.js';
import { blocksOf, root } from '../support/snippets.js';

const REFUSED = `
  import { GraphqlMountModule } from '@fledge/graphql';
  // @ts-expect-error A schema is required.
  GraphqlMountModule.forRoot({ path: '/graphql' });
`;

/**
 * Each project also compiles the declarations of all entries. Resolution under `node16` and `bundler`, which read the
 * same `exports` as `nodenext`, is checked by are-the-types-wrong in scripts/check-packages.mjs.
 */
const PROJECTS = {
  'to ES modules, strictest, under nodenext': {
    name: 'es-modules',
    files: {
      'entries.ts': importing(entries),
      // A CommonJS file. TypeScript accepts require() of ESM in `nodenext`, and not in `node16`.
      'entries.cts': importing(entries),
      'refused.ts': REFUSED,
      // Runs in nest11.spec.ts.
      'nest/app.ts': readFileSync(join(root, 'test/support/nest11-app.ts'), 'utf8'),
      'nest/package.json': '{ "type": "commonjs" }',
    },
    compilerOptions: {
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      isolatedModules: true,
    },
  },
  // Under node10, tsc reads `main`, `types` and `typesVersions`, not `exports`. Without `strictNullChecks` it emits
  // `Reader` as the metadata of a parameter of type `Reader | null`, so ValidationPipe sees a class.
  'to CommonJS, loosely, under node10': {
    name: 'commonjs',
    files: { 'entries.ts': importing(entries), 'package.json': '{ "type": "commonjs" }' },
    compilerOptions: {
      module: 'commonjs',
      moduleResolution: 'node10',
      ignoreDeprecations: '6.0',
      strict: false,
    },
  },
};

/**
 * Snippets that do not compile to CommonJS: `import.meta` exists in ES modules only, and the types
 * of @nestjs/apollo 14 conflict with the types of Apollo that CommonJS reads.
 */
const ONLY_MODULES = /import\.meta|@nestjs\/apollo/;

let place: Consumer;
beforeAll(() => {
  place = consumer('all');
});

// The project that the command line tool of NestJS 11 creates.
it('every snippet of the documentation compiles to CommonJS under nodenext', () => {
  const pages = documents.filter((page) => !page.startsWith('docs/pages/tutorials/'));
  const snippets = pages.flatMap((page) =>
    blocksOf(page, 'ts')
      .filter((code) => !ONLY_MODULES.test(code))
      .map((code, i) => [`${page.replaceAll(/\W/g, '-')}-${i}.ts`, `${code}\nexport {};\n`]),
  );
  expect(snippets.length).toBeGreaterThan(100);
  const { errors } = place.compile({
    name: 'snippets',
    files: {
      ...(Object.fromEntries(snippets) as Record<string, string>),
      'package.json': '{ "type": "commonjs" }',
    },
    compilerOptions: {
      strict: true,
      isolatedModules: true,
      esModuleInterop: true,
      skipLibCheck: true,
      noEmit: true,
    },
  });
  expect(errors).toEqual([]);
});

describe.each(Object.entries(PROJECTS))('an application compiled by tsc %s', (_, project) => {
  let compiled: Compiled;
  let server: Running;

  beforeAll(() => {
    compiled = place.compile({ ...project, folder: join(root, 'test/consumer') });
    server = start(process.execPath, [join(compiled.folder, 'dist/main.js')]);
  });
  afterAll(() => server.stop());

  it('compiles, and so do the declarations of every entry, with skipLibCheck off', () => {
    expect(compiled.errors).toEqual([]);
    expect(compiled.declarations).toBeGreaterThan(100);
  });

  describe.each(['express', 'fastify'])('on %s', (platform) => {
    describe.each(['usual', 'strictest'])('behind the %s ValidationPipe', (pipe) => {
      let url: string;
      const headers = { 'x-tenant-id': 'acme', authorization: 'ada' };
      const get = async (path: string): Promise<unknown> => {
        const answer = await fetch(`${url}${path}`, { headers });
        return answer.json();
      };

      beforeAll(async () => {
        const [, found] = await server.until(
          new RegExp(`^${platform}, ${pipe} at (http:\\S+)`, 'm'),
        );
        url = found as string;
      });

      it.each(['/tasks', '/tasks/fetched', '/tasks/by-context'])(
        'gives GET %s the page that was asked for',
        async (path) => {
          expect(await get(`${path}?page=2&limit=3&filter=id:gt:10&sort=id:desc`)).toEqual({
            data: [27, 26, 25].map((id) => ({ id, title: `No. ${id}` })),
            meta: { page: 2, limit: 3, total: 20, totalPages: 7, hasNext: true, hasPrev: true },
          });
        },
      );

      const known = { reader: 'Hello, ada', tenant: 'acme' };

      it('gives a handler its context, its reader, its tenant and what is injected', async () => {
        expect(await get('/tasks/context')).toEqual({
          url: '/tasks/context',
          ...known,
          injected: { ...known, running: 'acme' },
        });
      });

      it('still validates what is the application’s own', async () => {
        expect(await get('/tasks/7')).toEqual({ id: 7, kind: 'number' });
        const post = async (body: object) => {
          const answer = await fetch(`${url}/tasks`, {
            method: 'POST',
            headers: { ...headers, 'content-type': 'application/json' },
            body: JSON.stringify(body),
          });
          return { status: answer.status, body: await answer.json() };
        };
        expect(await post({ title: 'Mine' })).toEqual({
          status: 201,
          body: { isTask: true, title: 'Mine' },
        });
        expect((await post({ title: 'x' })).status).toBe(400);
      });

      it('answers an MCP client the same', async () => {
        const client = new Client({ name: 'consumer', version: '1.0.0' });
        await client.connect(
          new StreamableHTTPClientTransport(new URL(`${url}/_mcp/messages`), {
            requestInit: { headers },
          }),
        );
        const call = async (name: string, args: object): Promise<unknown> => {
          const { content } = await client.callTool({ name, arguments: { ...args } });
          return JSON.parse((content as { text: string }[])[0]?.text ?? '');
        };
        const { tools } = await client.listTools();
        expect(tools.map(({ name }) => name).sort()).toEqual([
          'create_task',
          'get_task',
          'list_tasks',
          'read_context',
        ]);
        expect(await call('list_tasks', { page: 2, limit: 3, filter: ['id:gt:10'] })).toMatchObject(
          { data: [{ id: 14 }, { id: 15 }, { id: 16 }], meta: { page: 2, limit: 3, total: 20 } },
        );
        expect(await call('get_task', { id: 7 })).toEqual({ id: 7, kind: 'number' });
        expect(await call('create_task', { title: 'Mine' })).toEqual({
          isTask: true,
          title: 'Mine',
        });
        expect(await call('read_context', {})).toEqual({
          url: '/tasks/context',
          ...known,
          tool: 'read_context',
          injected: { ...known, running: 'acme', tool: 'read_context' },
        });
        await client.close();
      });
    });
  });
});
