import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { appFile, fledge, launch, serve } from '../support/fledge.js';

let folder = '';
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'fledge-inspect-spec-')));
  put('package.json', '{ "name": "shop", "type": "module" }');
  put('dist/main.js', `import ${JSON.stringify(pathToFileURL(appFile('noisy')).href)};`);
});
afterEach(() => rmSync(folder, { recursive: true }));

function put(file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}

function install(manifest: object): void {
  const inspector = 'node_modules/@modelcontextprotocol/inspector';
  put(
    `${inspector}/package.json`,
    JSON.stringify({ version: '9.9.9', type: 'module', ...manifest }),
  );
  put(
    `${inspector}/index.js`,
    `import ${JSON.stringify(pathToFileURL(appFile('inspector')).href)};`,
  );
}
const USABLE = { bin: { 'mcp-inspector': './index.js' }, engines: { node: '>=20.19.0' } };

/** Runs `fledge mcp inspect` until the Inspector has connected, then presses Ctrl-C. */
async function inspect(...args: string[]) {
  const env = { FLEDGE_MCP_TOKEN: 'secret' };
  const { child, printed, until, end } = launch(['mcp', 'inspect', ...args], { cwd: folder, env });
  await until(/^\{.*\}\n/m);
  const running = JSON.parse(printed.out || '{}') as Record<string, unknown>;
  const wasThere = existsSync(String(running['file']));
  child.kill('SIGINT');
  const { code } = await end();
  return { code, err: printed.err, running, wasThere };
}

describe('fledge mcp inspect', () => {
  it('runs the installed Inspector on the application over stdio, and ends with it', async () => {
    install(USABLE);
    const { code, running, wasThere } = await inspect();
    expect(code).toBe(0);
    expect(running).toEqual({
      args: ['--config'],
      file: expect.any(String),
      modes: [0o600, 0o700],
      name: folder.split('/').at(-1),
      type: 'stdio',
      tools: 6,
      token: '{"authorization":"Bearer secret"}',
    });
    expect([wasThere, existsSync(dirname(String(running['file'])))]).toEqual([true, false]);
  });

  it('runs it on a running server, with the token', async () => {
    install(USABLE);
    const server = await serve('noisy', { TOKEN: 'secret' });
    const { code, running } = await inspect('--http', `${server.url}/_mcp/messages`);
    await server.stop();
    expect(code).toBe(0);
    expect(running).toMatchObject({ type: 'streamable-http', tools: 6 });
    expect(running['token']).toContain('Bearer secret');
  });

  it.each([
    [
      'is not installed',
      undefined,
      [],
      /is not installed in .*npm install -D @modelcontextprotocol\/inspector\. Or run it once: npx @modelcontextprotocol\/inspector \[CLI_NO_INSPECTOR\]/,
    ],
    [
      'is not installed, with a URL',
      undefined,
      ['--http', 'http://localhost:9/mcp'],
      /Or run it once: npx @modelcontextprotocol\/inspector --transport http --server-url http:\/\/localhost:9\/mcp/,
    ],
    [
      'needs a newer Node.js',
      { ...USABLE, engines: { node: '>=99.1' } },
      [],
      /inspector 9\.9\.9 requires Node\.js >=99\.1, but the current version is \d+\./,
    ],
    ['has no program', { engines: { node: '^1' } }, [], /The program mcp-inspector is missing in/],
  ])('says so where the Inspector %s', async (_, manifest, args, message) => {
    if (manifest !== undefined) install(manifest);
    const { code, out, err } = await fledge(['mcp', 'inspect', ...args], { cwd: folder });
    expect([code, out]).toEqual([3, '']);
    expect(err).toMatch(message);
  });

  it.each([
    [['--http', 'http://localhost:9/mcp'], 3, /cannot be reached.*CLI_SERVER_UNREACHABLE/],
    [['--entry', 'nope.js'], 2, /CLI_BAD_ENTRY/],
    [['--http', 'http://x/', '--entry', 'a.js'], 2, /cannot be used with option/],
  ])('refuses %j before it starts the Inspector', async (args, expected, message) => {
    install(USABLE);
    const { code, out, err } = await fledge(['mcp', 'inspect', ...args], { cwd: folder });
    expect([code, out]).toEqual([expected, '']);
    expect(err).toMatch(message);
  });
});
