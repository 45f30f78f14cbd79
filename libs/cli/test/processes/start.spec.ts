// Runs the built command in separate processes, because it uses stdin and stdout.
import { execFile } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { Client as ModernClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernTransport } from '@modelcontextprotocol/client/stdio';
import { appFile, BIN, fledge, launch } from '../support/fledge.js';
import { connectStdio } from '../../../../test/support/connect-stdio.js';
import { until } from '../../../../test/support/until.js';

const folder = mkdtempSync(join(tmpdir(), 'fledge-start-'));
afterAll(() => rmSync(folder, { recursive: true }));

const startNoisy = ['mcp', 'start', '--entry', appFile('noisy')];
const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'wire', version: '1.0.0' },
  },
};

it('fledge mcp start refuses a folder for --project that does not exist', async () => {
  const { code, err } = await fledge(['mcp', 'start', '--project', join(folder, 'missing')]);
  expect(code).toBe(2);
  expect(err).toMatch(
    /--project is ".*missing", but must be an existing folder.*\[CLI_BAD_OPTION\]/,
  );
});

// A test has one platform: the command does nothing that depends on it.
describe('fledge mcp start', () => {
  const command = (env: Record<string, string>) => ({
    command: process.execPath,
    args: [BIN, ...startNoisy],
    stderr: 'pipe' as const,
    env,
  });

  it('serves a client of 2025-11-25, with the token of the environment', async () => {
    const client = new Client({ name: 'spec', version: '1.0.0' });
    await connectStdio(
      client,
      new StdioClientTransport(command({ PLATFORM: 'express', FLEDGE_MCP_TOKEN: 'secret' })),
    );
    expect((await client.listTools()).tools).toHaveLength(6);
    expect(await client.callTool({ name: 'noisy_token' })).toMatchObject({
      content: [{ text: '{"authorization":"Bearer secret"}' }],
      isError: false,
    });
    await client.close();
  });

  it('serves a client of 2026-07-28', async () => {
    const client = new ModernClient(
      { name: 'spec', version: '1.0.0' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    await connectStdio(client, new ModernTransport(command({ PLATFORM: 'fastify' })));
    expect(await client.callTool({ name: 'noisy_token', arguments: {} })).toMatchObject({
      content: [{ text: '{"authorization":null}' }],
    });
    await client.close();
  });

  it('writes nothing but JSON-RPC to stdout, and ends with its stdin', async () => {
    const { child, printed, end } = launch(startNoisy, { env: { PLATFORM: 'fastify' } });
    const say = (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`);
    const lines = () => printed.out.split('\n').filter((line) => line !== '');
    say(initialize);
    say({ jsonrpc: '2.0', method: 'notifications/initialized' });
    say({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'noisy_token' } });
    await until(() => lines().length === 2);
    child.stdin.end();
    expect(await end()).toEqual({ code: 0, signal: null });

    const messages = lines().map((line) => JSON.parse(line) as { id: number });
    expect(messages.map(({ id }) => id).sort()).toEqual([1, 2]);
    const noises = ['console', 'stdout', 'descriptor', 'child process', 'worker thread'];
    for (const noise of [...noises, 'provider', 'route', 'pino']) {
      expect(printed.err).toContain(`by ${noise}`);
    }
    expect(printed.err).toContain('without a line end');
    expect(printed.err).toContain('NestFactory');
  });

  it('ends when the reader of its stdout has gone', async () => {
    const { child, end } = launch(startNoisy);
    child.stdout.destroy();
    child.stdin.write(`${JSON.stringify(initialize)}\n`);
    expect(await end()).toEqual({ code: 0, signal: null });
  });

  it('finds the built application of a folder', async () => {
    const cwd = join(folder, 'shop');
    mkdirSync(join(cwd, 'dist'), { recursive: true });
    writeFileSync(join(cwd, 'package.json'), '{ "name": "shop", "type": "module" }');
    const main = `import ${JSON.stringify(pathToFileURL(appFile('noisy')).href)};`;
    writeFileSync(join(cwd, 'dist/main.js'), main);
    const client = new ModernClient(
      { name: 'spec', version: '1.0.0' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    const args = [BIN, 'mcp', 'start'];
    await connectStdio(
      client,
      new ModernTransport({ command: process.execPath, args, cwd, stderr: 'pipe' }),
    );
    expect(await client.callTool({ name: 'noisy_echo', arguments: { id: '1' } })).toMatchObject({
      content: [{ text: '{"id":"1"}' }],
    });
    await client.close();
  });

  it('forwards signals, and exits with the application', async () => {
    const { child, until, end } = launch(startNoisy);
    await until(/successfully started/);
    child.kill('SIGTERM');
    expect(await end()).toEqual({ code: 143, signal: null });
  });

  it('writes to a file as to a pipe', async () => {
    const file = join(folder, 'out.jsonl');
    const input = join(folder, 'in.jsonl');
    writeFileSync(input, `${JSON.stringify(initialize)}\n`);
    const answered = `until [ -s ${file} ]; do sleep 0.1; done`;
    const line = `(cat ${input}; ${answered}) | "${process.execPath}" "${BIN}" mcp start --entry "${appFile('noisy')}" > ${file}`;
    await promisify(execFile)('sh', ['-c', line]);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ id: 1 });
  });

  // pnpm and npm workspaces link packages: under two names a package would be there twice.
  it('imports a linked package by its real path', async () => {
    mkdirSync(join(folder, 'packages/shared'), { recursive: true });
    mkdirSync(join(folder, 'node_modules'));
    writeFileSync(join(folder, 'packages/shared/index.mjs'), 'console.log(import.meta.url);');
    writeFileSync(join(folder, 'packages/shared/package.json'), '{ "exports": "./index.mjs" }');
    symlinkSync('../packages/shared', join(folder, 'node_modules/shared'));
    writeFileSync(join(folder, 'app.mjs'), "import 'shared';");
    const { err } = await fledge(['mcp', 'start', '--entry', 'app.mjs'], { cwd: folder });
    expect(err).toContain('packages/shared/index.mjs');
    expect(err).not.toContain('node_modules/shared');
  });

  it('shares stdout between two copies of @fledge/mcp', async () => {
    const file = fileURLToPath(
      new URL('../../../mcp/dist/.modules/serve/transport/stdout.js', import.meta.url),
    );
    const copy = join(folder, 'stdout.mjs');
    copyFileSync(file, copy);
    const code = `
      import { takeStdout as one } from '${pathToFileURL(file).href}';
      import { takeStdout as other } from '${pathToFileURL(copy).href}';
      const stdout = one();
      console.log('astray');
      other().write(String(stdout === other()));`;
    const run = promisify(execFile);
    const { stdout, stderr } = await run(process.execPath, ['--input-type=module', '-e', code]);
    expect([stdout, stderr]).toEqual(['true', 'astray\n']);
  });

  it.each([
    ['crashing', 60, /crashes at import[\s\S]*crashing\.mjs failed to start\. The error is above/],
    [
      'rejecting',
      60,
      /rejecting\.mjs exited with code 1 before it served MCP[\s\S]*crashes while it boots/,
    ],
    [
      'ending',
      60,
      /a script, not a server[\s\S]*ending\.mjs exited with code 0 before it served MCP/,
    ],
    ['without-mcp', 60, /without-mcp\.mjs listens on a port.*Add McpModule\.forRoot/],
    ['silent', 3, /silent\.mjs did not serve MCP within 3 s.*--timeout 6/],
  ])(
    'says why an application that is %s does not serve, and exits with 3',
    async (app, timeout, message) => {
      const start = ['mcp', 'start', '--entry', appFile(app), '--timeout', String(timeout)];
      const { printed, end } = launch(start);
      expect(await end()).toEqual({ code: 3, signal: null });
      expect(printed.err).toMatch(message);
      expect(printed.err).toContain('[CLI_APP_NOT_STARTED]');
      expect(printed.out).toBe('');
    },
  );

  it.each([
    [
      [],
      3,
      /Searched for dist\/main\.js\. Build the application \(npm run build\).*\[CLI_ENTRY_NOT_FOUND\]/,
    ],
    [['--entry', 'src/main.ts'], 2, /is a TypeScript file.*\[CLI_BAD_ENTRY\]/],
    [['--entry', 'nope.js'], 2, /does not exist in .*\[CLI_BAD_ENTRY\]/],
    [['--timeout', 'soon'], 2, /--timeout is "soon", but must be a number.*\[CLI_BAD_OPTION\]/],
    [['--bogus'], 2, /unknown option '--bogus' \[CLI_BAD_OPTION\]\nTry --help\./],
  ])('refuses %j with %d', async (args, code, message) => {
    const outcome = await fledge(['mcp', 'start', ...args], { cwd: folder, input: '' });
    expect(outcome).toEqual({ code, out: '', err: expect.stringMatching(message) });
  });
});
