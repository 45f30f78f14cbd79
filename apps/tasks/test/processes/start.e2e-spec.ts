import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type Running, start } from '../../../../test/support/processes.js';
import { root } from '../../../../test/support/snippets.js';

const ENV = { TASKS_DATA: 'memory://', NO_COLOR: '1' };

describe('npm start', () => {
  let running: Running;
  let url: string;
  const headers = { authorization: 'Bearer demo-token-ada' };

  beforeAll(async () => {
    running = start(process.execPath, ['start/run.mjs'], { ...ENV, PORT: '0' });
    [, url = ''] = await running.until(/Panel +(http:\S+?)\/_fledge/);
  });
  afterAll(() => running.stop());

  it('says what it does in lines of a log', () => {
    const lines = running.output().split('\n');
    const step = 'Building the demo and its pages';
    expect(lines).toContain(`${step} ...`);
    expect(lines).toContainEqual(expect.stringMatching(`${step}: done after \\d+ s`));
    expect(lines).toContainEqual(expect.stringContaining('Starting PostgreSQL in memory://'));
    expect(running.output()).not.toMatch(/[^\P{Cc}\n]/u);
  });

  it('answers over REST and GraphQL', async () => {
    const list = await fetch(`${url}/tasks?limit=1`, { headers });
    expect(await list.json()).toMatchObject({ data: [{ createdBy: 'ada' }] });
    const answer = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ tasks(limit: 1) { data { createdBy } } }' }),
    });
    expect(await answer.json()).toEqual({ data: { tasks: { data: [{ createdBy: 'ada' }] } } });
  });

  it('answers an MCP client', async () => {
    const client = new Client({ name: 'start', version: '1.0.0' });
    const options = { requestInit: { headers } };
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${url}/_mcp/messages`), options),
    );
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
    const panel = await fetch(`${url}/_fledge/`);
    expect([panel.status, await panel.text()]).toEqual([200, expect.stringContaining('panel.js')]);
    expect((await fetch(`${url}/_fledge/panel.js`)).status).toBe(200);
    const explorer = await fetch(`${url}/graphql`, { headers: { accept: 'text/html' } });
    expect(await explorer.text()).toContain('explorer.js');
  });

  it.each(['express', 'fastify'])('says that the port is taken, on %s', async (platform) => {
    const taken = createServer().listen(0);
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const { status, stderr } = spawnSync(process.execPath, ['start/dist/main.js'], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, ...ENV, PORT: String(port), TASKS_PLATFORM: platform },
    });
    expect(stderr).toContain(`Port ${port} is in use. Stop the program that uses it,`);
    expect(status).toBe(1);
    taken.close();
  });
});

describe('the installation', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fledge-install-'));
    mkdirSync(join(folder, 'node_modules'));
    writeFileSync(join(folder, 'package.json'), '{ "dependencies": { "left-out": "1.0.0" } }');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const lock = (file: string, packages: Record<string, object>) =>
    writeFileSync(
      join(folder, file),
      JSON.stringify({ name: 'app', lockfileVersion: 3, requires: true, packages }),
    );
  const wanted = (packages: Record<string, object>) => lock('package-lock.json', packages);
  const present = (packages: Record<string, object>) =>
    lock('node_modules/.package-lock.json', packages);

  /** Without a registry, so an installation fails. */
  const install = () =>
    spawnSync(process.execPath, [join(root, 'scripts/install-if-needed.mjs')], {
      cwd: folder,
      encoding: 'utf8',
      env: {
        ...process.env,
        npm_config_offline: 'true',
        npm_config_cache: join(folder, 'cache'),
      },
    });

  it('is left out where the packages of the lock file are there, whatever the dates of the files', () => {
    present({ 'node_modules/a': { version: '1.0.0' } });
    wanted({
      'libs/one': { version: '0.1.0' },
      'node_modules/one': { resolved: 'libs/one', link: true },
      'node_modules/a': { version: '1.0.0' },
      'node_modules/of-windows': { version: '1.0.0', optional: true },
    });
    expect(install()).toMatchObject({ status: 0, stdout: '', stderr: '' });
  });

  it.each<[string, Record<string, object>]>([
    ['another version', { 'node_modules/a': { version: '1.1.0' } }],
    ['a package less', {}],
    [
      'a package more',
      { 'node_modules/a': { version: '1.0.0' }, 'node_modules/b': { version: '1.0.0' } },
    ],
  ])('runs where there is %s, and shows why it failed', (_, packages) => {
    present(packages);
    wanted({ 'node_modules/a': { version: '1.0.0' } });
    const { status, stderr } = install();
    expect(status).toBe(1);
    expect(stderr).toMatch(/Installing 1 packages by npm ci: failed \(exit code 1\).*npm error/s);
  });
});
