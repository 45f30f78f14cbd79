// Every command and every snippet of a README is run here, as it stands there.
import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { freePort, start } from './support/processes.js';
import { blocksOf, commandsOf, compile, root } from './support/snippets.js';

const run = promisify(execFile);
const runner = join(root, 'test/support/run-snippets.mjs');
const libs = readdirSync(join(root, 'libs'));
const readmes = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'VERSIONS.md',
  ...libs.map((lib) => `libs/${lib}/README.md`),
  ...readdirSync(join(root, 'apps')).map((app) => `apps/${app}/README.md`),
  ...libs
    .map((lib) => `libs/${lib}/docs`)
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder)).map((page) => `${folder}/${page}`))
    .filter((page) => page.endsWith('.md')),
  ...libs.map((lib) => `libs/${lib}/skills/fledge-${lib}/SKILL.md`),
  ...markdownBelow('docs/pages'),
];
/** A README is read whole; a page is looked things up in. */
function mostLinesOf(document: string): number {
  if (document === 'README.md') return 150;
  // Generated, and searched.
  if (document.endsWith('/docs/options.md')) return 400;
  return /(^|\/)docs\//.test(document) ? 250 : 100;
}

function markdownBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((page) => page.endsWith('.md'))
    .map((page) => `${folder}/${page}`);
}

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

async function connect(url: string, headers: Record<string, string> = {}): Promise<Client> {
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  const client = new Client({ name: 'readme', version: '1.0.0' });
  await client.connect(transport);
  return client;
}

describe('the READMEs', () => {
  it.each(readmes)('%s is as short as promised, and its links lead somewhere', (readme) => {
    const text = readFileSync(join(root, readme), 'utf8');
    expect(text.split('\n').length).toBeLessThan(mostLinesOf(readme));
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(
      ([, path]) => path as string,
    );
    expect(links.filter((path) => !existsSync(join(root, dirname(readme), path)))).toEqual([]);
  });

  it.each(readmes)('%s tells no command that is not there', (readme) => {
    const text = readFileSync(join(root, readme), 'utf8');
    const scripts = [...text.matchAll(/\bnpm (?:run )?(start|test|(?<=run )[\w:]+)/g)];
    for (const [, script] of scripts) expect(manifest.scripts).toHaveProperty([script as string]);
    for (const command of commandsOf(readme)) {
      const packages = /^npm install (.*)$/.exec(command)?.[1]?.split(' ') ?? [];
      for (const name of packages.filter((word) => !word.startsWith('-'))) {
        const unversioned = name.replace(/(?<=.)@.*$/, '');
        expect(existsSync(join(root, 'node_modules', unversioned))).toBe(true);
      }
      expect(command).toMatch(
        /^(npm (install|start|test|run \S+)|curl |(npx )?nest add @fledge\/\w+|npx @nestjs\/cli new |(echo .* \| )?npx @fledge\/cli )/,
      );
    }
  });
});

/** Asks until the server listens: Nest logs that it has started just before. */
async function firstAnswer(url: string, init: RequestInit): Promise<Response> {
  for (;;) {
    try {
      return await fetch(url, init);
    } catch (error) {
      const { code } = (error as { cause: { code?: string } }).cause;
      if (code !== 'ECONNREFUSED') throw error;
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
  const sources = readmes.flatMap((readme) => blocksOf(readme, 'ts'));
  const folder = join(root, 'test/.snippets');
  let files: string[] = [];
  beforeAll(() => {
    files = compile('.snippets', sources);
    const [operation] = blocksOf('libs/mcp/docs/graphql-operations.md', 'graphql');
    mkdirSync(join(folder, 'src/tools'), { recursive: true });
    writeFileSync(join(folder, 'src/tools/open-tasks.graphql'), operation as string);
  }, 300_000);

  it('compile and run: those that export a module boot, the others are imported', async () => {
    const loaded = files.filter((_, i) => !listens(sources[i] as string));
    expect(loaded.length).toBeGreaterThan(60);
    const { stdout } = await run(process.execPath, [runner, ...loaded], {
      cwd: folder,
      // For the snippets that audit a database, and log in at a provider.
      env: { ...process.env, NODE_OPTIONS: '', ...DATABASE, ...PROVIDER },
    });
    const lines = stdout.split('\n').filter((line) => /^(ran|failed) /.test(line));
    expect(lines).toEqual(loaded.map((file) => `ran ${file}`));
  });

  it.each([
    ['of @fledge/core', '@LoadUser', '/', { authorization: 'ada' }, { hello: 'ada' }],
    [
      'of @fledge/tenant',
      'class Invoices ',
      '/invoices',
      { 'x-tenant-id': 'acme' },
      { of: 'acme' },
    ],
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
    const server = start(process.execPath, [moved]);
    await server.until(/successfully started/);
    const answer = await firstAnswer(`http://localhost:${port}${path}`, { headers });
    expect(await answer.json()).toEqual(expected);
    await server.stop();
  });

  it('of the root README is a whole application, whose routes a client calls', async () => {
    const file = files[sources.findIndex((code) => code.includes("name: 'create_task'"))] as string;
    const port = await freePort();
    const server = start(process.execPath, [file], { PORT: String(port) });
    await server.until(/successfully started/);
    const client = await connect(`http://localhost:${port}/_mcp/messages`);
    const created = await client.callTool({ name: 'create_task', arguments: { title: 'Mine' } });
    expect(created.content).toEqual([{ type: 'text', text: '{"id":2,"title":"Mine"}' }]);
    const found = await client.callTool({ name: 'TasksController.find', arguments: { id: 1 } });
    expect(found.content).toEqual([{ type: 'text', text: '{"id":1,"title":"Read the README"}' }]);
    const refused = await client.callTool({ name: 'create_task', arguments: { title: 7 } });
    expect(refused.isError).toBe(true);
    await client.close();
    await server.stop();
  });
});

describe('npm start, as the README has it', () => {
  const data = mkdtempSync(join(tmpdir(), 'fledge-readme-'));
  const running = { url: '', stop: () => Promise.resolve() };

  beforeAll(async () => {
    const server = start('npm', ['start'], { PORT: '0', TASKS_DATA: data });
    running.stop = server.stop;
    const [, url] = await server.until(/REST\s+(http:\/\/localhost:\d+)/);
    running.url = url as string;
  }, 300_000);
  afterAll(async () => {
    await running.stop();
    rmSync(data, { recursive: true, force: true });
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
        .replace('http://localhost:3000', running.url);
      const { stdout } = await run('sh', ['-c', command], {
        cwd: folder,
        env: { ...process.env, TASKS_DATA: 'memory://', FLEDGE_MCP_TOKEN: 'demo-token-ada' },
      });
      expect([line, stdout]).toEqual([line, expect.stringMatching(/task-api|tasks_get|id\\?":/)]);
    }
    rmSync(folder, { recursive: true });
  }, 300_000);

  it('serves the client configuration', async () => {
    const [config] = blocksOf('README.md', 'json').map(
      (block) =>
        JSON.parse(block) as {
          mcpServers: { 'task-api': { url: string; headers: Record<string, string> } };
        },
    );
    const { url, headers } = config?.mcpServers['task-api'] ?? { url: '', headers: {} };
    const client = await connect(url.replace('http://localhost:3000', running.url), headers);
    const result = await client.callTool({ name: 'tasks_list', arguments: { limit: 1 } });
    expect(result.isError).toBe(false);
    await client.close();
  });
});
