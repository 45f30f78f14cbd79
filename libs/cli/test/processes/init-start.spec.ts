// The configurations that `init` writes, read and run by a real client in every folder a client may start
// a server in.
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';
import { connectStdio } from '../../../../test/support/connect-stdio.js';
import { appFile, BIN, fledge } from '../support/fledge.js';

interface Command {
  readonly command: string;
  readonly args: readonly string[];
}

const CLI = fileURLToPath(new URL('../..', import.meta.url));
let home = '';
let repository = '';
let project = '';

beforeAll(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'fledge-init-')));
  repository = join(home, 'work');
  project = join(repository, 'apps/shop');
  for (const folder of ['.git', 'apps/shop/dist', 'apps/shop/.vscode', 'apps/shop/build']) {
    mkdirSync(join(repository, folder), { recursive: true });
  }
  writeFileSync(join(project, 'package.json'), '{ "name": "@acme/shop", "type": "module" }');
  const main = `import ${JSON.stringify(pathToFileURL(appFile('noisy')).href)};`;
  writeFileSync(join(project, 'dist/main.js'), main);
  writeFileSync(join(project, 'build/server.js'), main);
  // As npm installs it.
  mkdirSync(join(project, 'node_modules/@fledge'), { recursive: true });
  mkdirSync(join(project, 'node_modules/.bin'));
  symlinkSync(CLI, join(project, 'node_modules/@fledge/cli'));
  symlinkSync(BIN, join(project, 'node_modules/.bin/fledge'));
  chmodSync(BIN, 0o755);
});
afterAll(() => rmSync(home, { recursive: true }));

async function init(...args: string[]): Promise<void> {
  const env = { HOME: home, USERPROFILE: home, XDG_CONFIG_HOME: '', CODEX_HOME: '' };
  expect(await fledge(['mcp', 'init', ...args], { cwd: project, env })).toMatchObject({
    err: '',
    code: 0,
  });
}

function commandIn(file: string): Command {
  const { mcpServers } = JSON.parse(readFileSync(join(project, file), 'utf8')) as {
    mcpServers: { shop: Command };
  };
  return mcpServers.shop;
}

async function toolsOf({ command, args }: Command, cwd: string): Promise<string[]> {
  const client = new Client({ name: 'spec', version: '1.0.0' });
  // Every package of the registry is out of reach: nothing may be fetched.
  const env = { ...process.env, npm_config_offline: 'true', NODE_OPTIONS: '' } as Record<
    string,
    string
  >;
  await connectStdio(
    client,
    new StdioClientTransport({ command, args: [...args], cwd, env, stderr: 'pipe' }),
  );
  const { tools } = await client.listTools();
  await client.close();
  return tools.map(({ name }) => name);
}

describe('a configuration written by init', () => {
  it.each([
    ['.mcp.json', () => [project, join(project, 'dist')]],
    ['.vscode/mcp.json', () => [project, join(project, '.vscode')]],
    ['../../.mcp.json', () => [repository]],
    ['../../../client.json', () => [home, '/']],
  ])(
    'as %s starts the application wherever a client of it does',
    async (file, folders) => {
      await init('--out', file);
      for (const folder of folders()) {
        expect([folder, await toolsOf(commandIn(file), folder)]).toEqual([
          folder,
          expect.arrayContaining(['noisy_echo']),
        ]);
      }
    },
    120_000,
  );

  it('in a file of the home folder starts the application from any folder', async () => {
    await init('--client', 'codex,goose');
    const toml: unknown = parseToml(readFileSync(join(home, '.codex/config.toml'), 'utf8'));
    const codex = toml as { mcp_servers: { shop: Command } };
    expect(await toolsOf(codex.mcp_servers.shop, '/')).toContain('noisy_echo');
    const goose = parseYaml(readFileSync(join(home, '.config/goose/config.yaml'), 'utf8')) as {
      extensions: { shop: { cmd: string; args: string[] } };
    };
    const { cmd, args } = goose.extensions.shop;
    expect({ command: cmd, args }).toEqual(codex.mcp_servers.shop);
  });

  it('in a folder of a client has no absolute path, at the root of the repository too', async () => {
    await init('--client', 'cursor');
    expect(commandIn('.cursor/mcp.json')).toEqual({
      command: 'npx',
      args: ['--no', '@fledge/cli', 'mcp', 'start'],
    });
    mkdirSync(join(repository, '.cursor'));
    await init('--client', 'cursor', '--out', '../../.cursor/mcp.json');
    const command = commandIn('../../.cursor/mcp.json');
    expect(command.args.slice(-2)).toEqual(['--project', 'apps/shop']);
    expect(await toolsOf(command, repository)).toContain('noisy_echo');
  });

  it('has the path of the entry relative to the application', async () => {
    await init('--out', '.vscode/entry.json', '--entry', './build/server.js');
    const command = commandIn('.vscode/entry.json');
    expect(command.args.slice(-2)).toEqual(['--entry', 'build/server.js']);
    const folder = dirname(join(project, '.vscode/entry.json'));
    expect(await toolsOf(command, folder)).toContain('noisy_echo');
  });

  it('has no absolute path, so a repository can share it', async () => {
    await init('--out', '../../shared.json');
    expect(commandIn('../../shared.json')).toEqual({
      command: 'node',
      args: [
        'apps/shop/node_modules/@fledge/cli/dist/main.js',
        'mcp',
        'start',
        '--project',
        'apps/shop',
      ],
    });
  });
});
