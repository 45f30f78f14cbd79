import { execFile, execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { BIN, fledge } from '../support/fledge.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fledge-init-'));
  writeFileSync(join(folder, 'package.json'), '{ "name": "@acme/shop" }');
  install();
});
afterEach(() => rmSync(folder, { recursive: true }));

/** As npm installs it. */
function install(): void {
  mkdirSync(join(folder, 'node_modules/@fledge'), { recursive: true });
  symlinkSync(dirname(dirname(BIN)), join(folder, 'node_modules/@fledge/cli'));
}
const filesNow = () => readdirSync(folder).filter((name) => name !== 'node_modules');
const init = (...args: string[]) => fledge(['mcp', 'init', ...args], { cwd: folder });
const run = (file: string, args: string[]) =>
  new Promise<{ code: number; err: string }>((resolve) => {
    execFile(file, args, { cwd: folder }, (error, _out, err) =>
      resolve({ code: Number(error?.code ?? 0), err }),
    );
  });
const write = (text: string, file = '.mcp.json') => writeFileSync(join(folder, file), text);
const read = (file = '.mcp.json') => readFileSync(join(folder, file), 'utf8');

const OTHERS = 'To set up other clients: --client cursor,vscode,gemini,codex,windsurf,goose,zed\n';

describe('fledge mcp init', () => {
  it('writes .mcp.json, named after the package', async () => {
    expect(await init()).toEqual({
      code: 0,
      out: `Wrote .mcp.json with the server shop.\n${OTHERS}`,
      err: '',
    });
    expect(read()).toBe(`{
  "mcpServers": {
    "shop": {
      "command": "npx",
      "args": [
        "--no",
        "@fledge/cli",
        "mcp",
        "start"
      ]
    }
  }
}
`);
    expect((await init()).out).toBe(`.mcp.json is up to date: it has the server shop.\n${OTHERS}`);
  });

  it('uses --name, --entry and --out', async () => {
    await init('--name', 'till', '--entry', 'build/main.js', '--out', 'till.json');
    expect(JSON.parse(read('till.json'))).toEqual({
      mcpServers: {
        till: {
          command: 'npx',
          args: ['--no', '@fledge/cli', 'mcp', 'start', '--entry', 'build/main.js'],
        },
      },
    });
  });

  it('keeps other keys and servers, the indent, the mode and the link', async () => {
    const before =
      '{\n\t"$schema": "x",\n\t"mcpServers": { "other": { "command": "y", "env": {} } }\n}\n';
    write(before, 'shared.json');
    symlinkSync('shared.json', join(folder, '.mcp.json'));
    const { mode } = statSync(join(folder, 'shared.json'));
    const url = 'http://localhost:3000/_mcp/messages';
    expect((await init('--http', url)).out).toMatch(/^Added the server shop to \.mcp\.json\.$/m);
    const { mcpServers, ...rest } = JSON.parse(before);
    expect(JSON.parse(read('shared.json'))).toEqual({
      ...rest,
      mcpServers: { ...mcpServers, shop: { type: 'http', url } },
    });
    expect(read()).toMatch(/^\{\n\t"\$schema": "x",\n\t"mcpServers"/);
    expect(statSync(join(folder, 'shared.json')).mode).toBe(mode);
    expect(filesNow().sort()).toEqual(['.mcp.json', 'package.json', 'shared.json']);
  });

  it('follows a link to a file that does not exist yet', async () => {
    symlinkSync('shared.json', join(folder, '.mcp.json'));
    expect((await init()).out).toMatch(/^Wrote \.mcp\.json with the server shop\.$/m);
    expect(readlinkSync(join(folder, '.mcp.json'))).toBe('shared.json');
    expect(JSON.parse(read('shared.json')).mcpServers.shop.command).toBe('npx');
  });

  it('writes the file of the project, also from a folder below', async () => {
    mkdirSync(join(folder, 'src'));
    const { out } = await fledge(['mcp', 'init'], { cwd: join(folder, 'src') });
    expect(out).toContain('Wrote ../.mcp.json with the server shop.');
    expect(JSON.parse(read()).mcpServers.shop.command).toBe('npx');
    expect(readdirSync(join(folder, 'src'))).toEqual([]);
  });

  it('writes its own path where the project has not installed it', async () => {
    rmSync(join(folder, 'node_modules'), { recursive: true });
    await init();
    expect(JSON.parse(read()).mcpServers.shop).toEqual({
      command: 'node',
      args: [BIN, 'mcp', 'start'],
    });
  });

  it('refuses to write a command that clients could not run', async () => {
    rmSync(join(folder, 'node_modules'), { recursive: true });
    // As npx fetches it.
    const cache = join(folder, '_npx/1a2b/node_modules/@fledge');
    mkdirSync(cache, { recursive: true });
    const own = dirname(dirname(BIN));
    cpSync(join(own, 'dist'), join(cache, 'cli/dist'), { recursive: true });
    copyFileSync(join(own, 'package.json'), join(cache, 'cli/package.json'));
    symlinkSync(join(own, '../../node_modules'), join(cache, 'cli/node_modules'));
    const { code, err } = await run(process.execPath, [
      join(cache, 'cli/dist/main.js'),
      'mcp',
      'init',
    ]);
    expect(code).toBe(2);
    expect(err).toMatch(
      /@fledge\/cli is not installed in .*npm install -D @fledge\/cli.*\[CLI_NOT_INSTALLED\]/,
    );
    expect(readdirSync(folder)).not.toContain('.mcp.json');
    const url = 'http://localhost:3000/_mcp/messages';
    const args = [join(cache, 'cli/dist/main.js'), 'mcp', 'init', '--http', url];
    expect((await run(process.execPath, args)).code).toBe(0);
  });

  it('refuses a file that is not UTF-8', async () => {
    const before = Buffer.from('\ufeff{ "mcpServers": {} }', 'utf16le');
    writeFileSync(join(folder, '.mcp.json'), before);
    const { code, err } = await init('--force');
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/cannot be read: the file is not encoded in UTF-8/),
    ]);
    expect(readFileSync(join(folder, '.mcp.json'))).toEqual(before);
  });

  it('repeats no secret of another server', async () => {
    for (const [entry, shown] of [
      [{ url: 'https://x.example/s3cret/mcp?key=s3cret' }, 'at https://x.example'],
      [{ command: 'npx some --token s3cret' }, 'with the command "npx"'],
      [{ command: 'TOKEN=s3cret npx some' }, 'a different server "shop"'],
    ] as const) {
      write(JSON.stringify({ mcpServers: { shop: entry } }));
      const { err } = await init();
      expect(err).toContain(shown);
      expect(err).not.toContain('s3cret');
    }
  });

  it('refuses a pipe instead of waiting for its writer', async () => {
    execFileSync('mkfifo', [join(folder, '.mcp.json')]);
    const { code, err } = await init();
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/cannot be read: the path is not a file.*\[CLI_FILE\]/),
    ]);
  });

  it('replaces another server with this name only with --force', async () => {
    write('{"mcpServers":{"shop":{"command":"mine"}}}');
    const refused = await init();
    expect(refused).toEqual({
      code: 2,
      out: '',
      err:
        'fledge: .mcp.json, line 1, already has a different server "shop" with the command "mine". Use ' +
        'another --name, or replace the server with --force. [CLI_SERVER_TAKEN]\n',
    });
    expect(read()).toBe('{"mcpServers":{"shop":{"command":"mine"}}}');
    expect((await init('--force')).out).toMatch(/^Replaced the server shop in \.mcp\.json\.$/m);
    expect(JSON.parse(read()).mcpServers.shop.command).toBe('npx');
  });

  it.each([
    ['{\n  "mcpServers": {},\n}', /^fledge: \.mcp\.json is not valid JSON: line 3, column 1, /],
    ['', /is not valid JSON: line 1, column 1, has the end/],
    [
      '[]',
      /^fledge: \.mcp\.json must be a JSON object, but is an array\. The file was not changed\./,
    ],
    ['{"mcpServers":[]}', /must have an object in "mcpServers", not an array/],
    ['{"mcpServers":"x"}', /must have an object in "mcpServers", not a string/],
    ['{"mcpServers":null}', /must have an object in "mcpServers", not null/],
    [
      '{"mcpServers":{},\n"mcpServers":{}}',
      /^fledge: \.mcp\.json, line 2, has the key "mcpServers" twice\. The file was not changed\./,
    ],
    ['{"mcpServers":{"shop":{},\n"shop":{}}}', /line 2, has the key "shop" twice/],
  ])('refuses %j and leaves it alone', async (text, message) => {
    write(text);
    for (const args of [[], ['--force']]) {
      const { code, err } = await init(...args);
      expect(code).toBe(2);
      expect(err).toMatch(message);
    }
    expect(read()).toBe(text);
    expect(filesNow().sort()).toEqual(['.mcp.json', 'package.json']);
  });

  it.each([
    [['--http', 'localhost:3000'], /--http is "localhost:3000", but must be a URL such as/],
    [['--http', 'ftp://x/'], /--http is "ftp:\/\/x\/"/],
    [
      ['--http', 'http://ada:secret@x/'],
      /^fledge: --http is "http:\/\/...@x", .*without a password/,
    ],
    [['--name', ''], /--name is "", but must be a name/],
    [['--name', 'a\nb'], /--name is "a\\nb", but must be a name without line breaks/],
    [['--out', ''], /--out is "", but must be the path of a file/],
    [
      ['--http', 'http://x/', '--entry', 'a.js'],
      /--entry <file>' cannot be used with option '--http/,
    ],
    [['--out', 'no/such/folder.json'], /no\/such\/folder\.json cannot be written.*\[CLI_FILE\]/],
    [['--out', '.'], /\. cannot be read.*\[CLI_FILE\]/],
  ])('refuses %j', async (args, message) => {
    const { code, out, err } = await init(...args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(message);
    expect(err).not.toContain('secret');
    expect(filesNow()).toEqual(['package.json']);
  });
});
