// The libs as a user gets them: packed, unpacked, imported by name, and decorators as tsc emits them. Jest
// compiles with swc and reads the sources, so none of this shows in the other specs.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  type Compiled,
  type Consumer,
  consumer,
  entries,
  importing,
  packLibs,
  temporaryFolder,
} from '../support/consumer.js';
import { type Running, start } from '../support/processes.js';
import { root } from '../support/snippets.js';

/** What needs a package that npm does not install without being asked. */
const NEEDS_MORE =
  /^@fledge\/(core\/loader|query\/(?!memory|nest)|graphql\/|mcp\/(testing|graphql|redis|oauth-bridge)|tenant\/(bullmq|cache|kysely|mikro-orm|microservices|rabbitmq|redis|websockets|throttler))/;

const STRICTNESS = {
  strict: {
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    isolatedModules: true,
  },
  loose: { strict: false },
};
const strictness = ['strict', 'loose'] as const;

const tarballs = temporaryFolder();
let bare: Consumer;
let full: Consumer;

beforeAll(() => {
  const packed = packLibs(tarballs);
  bare = consumer(packed, 'required');
  full = consumer(packed, 'all');
});
afterAll(() => {
  for (const folder of [tarballs, bare.folder, full.folder]) rmSync(folder, { recursive: true });
});

describe('the declarations of entries that need no optional package', () => {
  it('hold without one, with skipLibCheck off', () => {
    const own = entries.filter((name) => !NEEDS_MORE.test(name));
    expect(own).toContain('@fledge/mcp');
    const { errors } = bare.compile({
      name: 'entries',
      files: { 'entries.ts': importing(own) },
      compilerOptions: { ...STRICTNESS.strict, noEmit: true },
    });
    expect(errors).toEqual([]);
  });
});

describe.each(strictness)('an application compiled by tsc, %s', (how) => {
  let compiled: Compiled;

  beforeAll(() => {
    compiled = full.compile({
      name: `app-${how}`,
      files: { 'entries.ts': importing(entries) },
      folder: join(root, 'test/consumer'),
      compilerOptions: STRICTNESS[how],
    });
  });

  it('compiles, and so do the declarations of every entry, with skipLibCheck off', () => {
    expect(compiled.errors).toEqual([]);
    expect(compiled.declarations).toBeGreaterThan(100);
  });

  describe.each(['express', 'fastify'])('on %s', (platform) => {
    let server: Running;

    beforeAll(() => {
      server = start(process.execPath, [join(compiled.folder, 'dist/main.js'), platform]);
    });
    afterAll(() => server.stop());

    describe.each(['usual', 'strictest'])('behind the %s ValidationPipe', (pipe) => {
      let url: string;
      const headers = { 'x-tenant-id': 'acme', authorization: 'ada' };
      const get = async (path: string): Promise<unknown> => {
        const answer = await fetch(`${url}${path}`, { headers });
        return answer.json();
      };

      beforeAll(async () => {
        const [, found] = await server.until(new RegExp(`^${pipe} at (http:\\S+)`, 'm'));
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
