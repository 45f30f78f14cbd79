// `npm start`, and the commands around it as the READMEs have them.
import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { connectClient } from '../support/connect-client.js';
import { start } from '../support/processes.js';
import { blocksOf, commandsOf, root } from '../support/snippets.js';
import { Database } from '../../apps/tasks/src/database/database.js';

const run = promisify(execFile);

describe('npm start', () => {
  const data = mkdtempSync(join(tmpdir(), 'fledge-readme-'));
  const seeded = join(data, 'seeded');
  let copies = 0;
  /** A folder with a seeded database. A process that makes its own needs twice as long to start. */
  const ownData = () => {
    const copy = join(data, `copy-${++copies}`);
    cpSync(seeded, copy, { recursive: true });
    return copy;
  };
  const running = { url: '', output: () => '', stop: () => Promise.resolve() };
  const headers = { authorization: 'Bearer demo-token-ada' };

  beforeAll(async () => {
    Logger.overrideLogger(false);
    await (await Database.open(seeded)).onApplicationShutdown();
    const server = start('npm', ['start'], { TASKS_DATA: 'memory://', NO_COLOR: '1', PORT: '0' });
    running.stop = server.stop;
    running.output = server.output;
    const [, url] = await server.until(/REST\s+(http:\/\/localhost:\d+)/, 290_000);
    running.url = url as string;
  });
  afterAll(async () => {
    await running.stop();
    // A process that is about to end may still write there.
    rmSync(data, { recursive: true, force: true, maxRetries: 5 });
  });

  it('answers the curl lines: a list, and the other company over GraphQL', async () => {
    const lines = commandsOf('README.md').filter((command) => command.startsWith('curl'));
    const answers = [];
    for (const line of lines) {
      const command = line
        .replace('http://localhost:3000', running.url)
        .replace('curl', 'curl -sS');
      answers.push(JSON.parse((await run('sh', ['-c', command])).stdout));
    }
    expect(answers).toEqual([
      {
        data: [
          expect.objectContaining({ status: 'open', createdBy: 'ada' }),
          expect.objectContaining({ status: 'open', createdBy: 'ada' }),
        ],
        meta: expect.objectContaining({ page: 1, limit: 2, hasNext: true }),
      },
      {
        data: {
          tasks: {
            data: [
              { title: expect.stringContaining('spectrometer') },
              { title: expect.stringContaining('patent') },
            ],
          },
        },
      },
    ]);
  });

  it('answers the fledge commands, and those that start the application do too', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fledge-readme-'));
    writeFileSync(join(folder, 'package.json'), '{ "name": "task-api" }');
    symlinkSync(join(root, 'apps/tasks/dist'), join(folder, 'dist'));
    const fledge = `"${process.execPath}" "${join(root, 'libs/cli/dist/main.js')}"`;
    const lines = commandsOf('libs/cli/README.md').filter((line) =>
      line.includes('npx @fledge/cli'),
    );
    expect(lines.length).toBeGreaterThanOrEqual(5);
    for (const line of lines) {
      const command = line
        .replace('npx @fledge/cli', fledge)
        .replace('http://localhost:3000', running.url)
        // The start of the application may take minutes on a busy machine.
        .replace(/mcp (?:list|call)/, '$& --timeout 240');
      const { stdout } = await run('sh', ['-c', command], {
        cwd: folder,
        env: { ...process.env, TASKS_DATA: ownData(), FLEDGE_MCP_TOKEN: 'demo-token-ada' },
      });
      expect([line, stdout]).toEqual([line, expect.stringMatching(/task-api|tasks_get|id\\?":/)]);
    }
    rmSync(folder, { recursive: true });
  });

  it('serves the client configuration', async () => {
    const [config] = blocksOf('README.md', 'json').map(
      (block) =>
        JSON.parse(block) as {
          mcpServers: { 'task-api': { url: string; headers: Record<string, string> } };
        },
    );
    const { url, headers } = config?.mcpServers['task-api'] ?? { url: '', headers: {} };
    const client = await connectClient(url.replace('http://localhost:3000', running.url), headers);
    const result = await client.callTool({ name: 'tasks_list', arguments: { limit: 1 } });
    expect(result.isError).toBe(false);
    await client.close();
  });

  it('says what it does in lines of a log', () => {
    const lines = running.output().split('\n');
    const step = 'Building the demo and its pages';
    expect(lines).toContain(`${step} ...`);
    expect(lines).toContainEqual(expect.stringMatching(`${step}: done after \\d+ s`));
    expect(lines).toContainEqual(expect.stringContaining('Starting PostgreSQL in memory://'));
    expect(running.output()).not.toMatch(/[^\P{Cc}\n]/u);
  });

  it('answers over REST and GraphQL', async () => {
    const list = await fetch(`${running.url}/tasks?limit=1`, { headers });
    expect(await list.json()).toMatchObject({ data: [{ createdBy: 'ada' }] });
    const answer = await fetch(`${running.url}/graphql`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ tasks(limit: 1) { data { createdBy } } }' }),
    });
    expect(await answer.json()).toEqual({ data: { tasks: { data: [{ createdBy: 'ada' }] } } });
  });

  it('answers an MCP client', async () => {
    const client = await connectClient(`${running.url}/_mcp/messages`, headers);
    const { tools } = await client.listTools();
    // By the design types of the DTO, and by the code of its decorators.
    expect(tools.find(({ name }) => name === 'tasks_update')?.inputSchema.properties).toMatchObject(
      {
        title: { type: 'string', maxLength: 200 },
        status: { type: 'string', enum: ['open', 'in_progress', 'done'] },
      },
    );
    const result = await client.callTool({ name: 'tasks_get', arguments: { id: 1 } });
    expect(result).toMatchObject({ isError: false });
    const page = await client.readResource({ uri: 'ui://tasks/list' });
    expect(page.contents).toEqual([expect.objectContaining({ uri: 'ui://tasks/list' })]);
    await client.close();
  });

  it('serves the pages of the panel and of GraphQL', async () => {
    const panel = await fetch(`${running.url}/_fledge/`);
    expect([panel.status, await panel.text()]).toEqual([200, expect.stringContaining('panel.js')]);
    expect((await fetch(`${running.url}/_fledge/panel.js`)).status).toBe(200);
    const explorer = await fetch(`${running.url}/graphql`, { headers: { accept: 'text/html' } });
    expect(await explorer.text()).toContain('explorer.js');
  });

  it.each(['express', 'fastify'])('says that the port is taken, on %s', async (platform) => {
    const taken = createServer().listen(0);
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const { status, stderr } = spawnSync(process.execPath, ['start/dist/main.js'], {
      cwd: root,
      encoding: 'utf8',
      env: {
        ...process.env,
        TASKS_DATA: ownData(),
        PORT: String(port),
        TASKS_PLATFORM: platform,
      },
    });
    expect(stderr).toContain(`Port ${port} is in use. Stop the program that uses it,`);
    expect(status).toBe(1);
    taken.close();
  });
});
