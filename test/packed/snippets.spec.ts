// Needs PostgreSQL.
// Every snippet of a document is compiled and run here, as it stands there.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { McpToolDefinition } from '@fledge/mcp';
import { brokenClientRules } from '../support/client-rules.js';
import { connectClient } from '../support/connect-client.js';
import { documents } from '../support/documents.js';
import { succeed } from '../support/ended.js';
import { freePort, type Running, start } from '../support/processes.js';
import { blocksOf, compile, root } from '../support/snippets.js';

const runner = join(root, 'test/support/run-snippets.mjs');

/** Asks until the server listens: Nest logs that it has started just before. */
async function firstAnswer(server: Running, url: string, init: RequestInit): Promise<Response> {
  for (;;) {
    try {
      return await fetch(url, init);
    } catch (error) {
      const { code } = (error as { cause: { code?: string } }).cause;
      if (code !== 'ECONNREFUSED') throw error;
      server.mustRun();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** Whether a snippet is a program that serves until it is stopped. */
function listens(code: string): boolean {
  return code.includes('listen(');
}

const database = new URL(process.env['DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/test');
const DATABASE = {
  PGHOST: database.hostname,
  PGPORT: database.port || '5432',
  PGUSER: database.username,
  PGPASSWORD: database.password,
  PGDATABASE: database.pathname.slice(1),
};

const PROVIDER = {
  BRIDGE_SECRET: 'a secret with at least thirty-two bytes',
  GITHUB_ID: 'bridge',
  GITHUB_SECRET: 'secret',
};

describe('the snippets', () => {
  // Tutorials have programs of several files: tutorials.spec.ts.
  const pages = documents.filter((page) => !page.startsWith('docs/pages/tutorials/'));
  const sources = pages.flatMap((page) => blocksOf(page, 'ts'));
  const folder = join(root, 'test/.snippets');
  let files: string[] = [];
  let server: Running | undefined;
  beforeAll(() => {
    files = compile('.snippets', sources);
    const [operation] = blocksOf('libs/mcp/docs/graphql-operations.md', 'graphql');
    mkdirSync(join(folder, 'src/tools'), { recursive: true });
    writeFileSync(join(folder, 'src/tools/open-tasks.graphql'), operation as string);
  });
  afterEach(() => server?.stop());

  it('compile and run: those that export a module boot, the others are imported', () => {
    const loaded = files.filter((_, i) => !listens(sources[i] as string));
    expect(loaded.length).toBeGreaterThan(60);
    const stdout = succeed(process.execPath, [runner, ...loaded], {
      cwd: folder,
      // For the snippets that audit a database, and log in at a provider.
      env: { ...DATABASE, ...PROVIDER },
    });
    const lines = stdout.split('\n').filter((line) => /^(ran|failed) /.test(line));
    expect(lines).toEqual(loaded.map((file) => `ran ${file}`));
    const lists = [...stdout.matchAll(/^tools (.*)$/gm)].map(
      ([, tools]) => JSON.parse(tools as string) as McpToolDefinition[],
    );
    expect(lists.length).toBeGreaterThan(5);
    expect(lists.flatMap(brokenClientRules)).toEqual([]);
  });

  it.each([
    [
      'of @fledge/query/nest',
      'maxLimit: 50',
      '/tasks?filter=status:eq:open',
      {},
      { data: [{ status: 'open', priority: 1 }], meta: expect.objectContaining({ total: 1 }) },
    ],
  ])('%s listen, and answer as they say', async (_, mark, path, headers, expected) => {
    const at = sources.findIndex((code) => code.includes(mark) && listens(code));
    const file = files[at] as string;
    const port = await freePort();
    const moved = file.replace('.js', '.moved.js');
    writeFileSync(moved, readFileSync(file, 'utf8').replace('listen(3000)', `listen(${port})`));
    server = start(process.execPath, [moved]);
    await server.until(/successfully started/);
    const answer = await firstAnswer(server, `http://localhost:${port}${path}`, { headers });
    expect(await answer.json()).toEqual(expected);
  });

  it('of the root README is a whole application, whose routes a client calls', async () => {
    const [program] = blocksOf('README.md', 'ts');
    const file = files[sources.indexOf(program as string)] as string;
    const port = await freePort();
    const main = `
      import { NestFactory } from '@nestjs/core';
      import { AppModule } from '${file}';
      await (await NestFactory.create(AppModule)).listen(${port});`;
    server = start(process.execPath, ['--input-type=module', '--eval', main]);
    await server.until(/successfully started/);
    const url = `http://localhost:${port}/_mcp/messages`;
    await firstAnswer(server, url, {});
    const client = await connectClient(url);
    const found = await client.callTool({ name: 'find_task', arguments: { id: 1 } });
    expect(found.content).toEqual([{ type: 'text', text: '{"id":1,"title":"Read the README"}' }]);
    const rejected = await client.callTool({ name: 'find_task', arguments: { id: 'x' } });
    expect(rejected.isError).toBe(true);
    await client.close();
  });
});
