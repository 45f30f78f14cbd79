// What `fledge mcp init` writes for each client, in a project and a home of its own.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parse as parseJsonc } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';
import { BIN, fledge } from '../support/fledge.js';

const URL = 'http://localhost:3000/_mcp/messages';
const TOKEN = 'token-that-no-file-may-hold';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'fledge-clients-'));
  put('shop/package.json', '{ "name": "@acme/shop" }');
});
afterEach(() => rmSync(root, { recursive: true }));

const put = (file: string, text: string) => {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
};
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const files = () =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name).slice(root.length + 1))
    .sort();
const init = (...args: string[]) =>
  fledge(['mcp', 'init', ...args], {
    cwd: join(root, 'shop'),
    env: {
      HOME: join(root, 'home'),
      USERPROFILE: join(root, 'home'),
      XDG_CONFIG_HOME: '',
      CODEX_HOME: '',
      APPDATA: '',
      FLEDGE_MCP_TOKEN: TOKEN,
    },
  });

/** By the id of the client: its file, and what it reads there as its documentation says. */
const EXPECTED = [
  {
    id: 'claude-code',
    file: 'shop/.mcp.json',
    parse: JSON.parse,
    content: {
      mcpServers: {
        shop: { type: 'http', url: URL, headers: { Authorization: 'Bearer ${FLEDGE_MCP_TOKEN}' } },
      },
    },
    note: 'Set FLEDGE_MCP_TOKEN in the environment of Claude Code.',
  },
  {
    id: 'cursor',
    file: 'shop/.cursor/mcp.json',
    parse: JSON.parse,
    content: {
      mcpServers: {
        shop: { url: URL, headers: { Authorization: 'Bearer ${env:FLEDGE_MCP_TOKEN}' } },
      },
    },
    note: 'Set FLEDGE_MCP_TOKEN in the environment of Cursor.',
  },
  {
    id: 'vscode',
    file: 'shop/.vscode/mcp.json',
    parse: JSON.parse,
    content: {
      servers: {
        shop: { type: 'http', url: URL, headers: { Authorization: 'Bearer ${input:shop-token}' } },
      },
      inputs: [
        {
          type: 'promptString',
          id: 'shop-token',
          description: 'Bearer token of shop',
          password: true,
        },
      ],
    },
    note: 'VS Code asks for the token when it connects.',
  },
  {
    id: 'gemini',
    file: 'shop/.gemini/settings.json',
    parse: JSON.parse,
    content: {
      mcpServers: {
        shop: { httpUrl: URL, headers: { Authorization: 'Bearer $FLEDGE_MCP_TOKEN' } },
      },
    },
    note: 'Set FLEDGE_MCP_TOKEN in the environment of Gemini CLI.',
  },
  {
    id: 'codex',
    file: 'home/.codex/config.toml',
    parse: parseToml,
    content: { mcp_servers: { shop: { url: URL, bearer_token_env_var: 'FLEDGE_MCP_TOKEN' } } },
    note: 'Set FLEDGE_MCP_TOKEN in the environment of Codex.',
  },
  {
    id: 'windsurf',
    file: 'home/.codeium/windsurf/mcp_config.json',
    parse: JSON.parse,
    content: {
      mcpServers: {
        shop: { serverUrl: URL, headers: { Authorization: 'Bearer ${env:FLEDGE_MCP_TOKEN}' } },
      },
    },
    note: 'Set FLEDGE_MCP_TOKEN in the environment of Windsurf.',
  },
  {
    id: 'goose',
    file: 'home/.config/goose/config.yaml',
    parse: (text: string): unknown => parseYaml(text),
    content: {
      extensions: {
        shop: {
          type: 'streamable_http',
          name: 'shop',
          uri: URL,
          description: '',
          enabled: true,
          timeout: 300,
          headers: { Authorization: 'Bearer ${FLEDGE_MCP_TOKEN}' },
          env_keys: ['FLEDGE_MCP_TOKEN'],
        },
      },
    },
    note: 'Set FLEDGE_MCP_TOKEN in the environment of Goose.',
  },
  {
    id: 'zed',
    file: 'home/.config/zed/settings.json',
    parse: JSON.parse,
    content: { context_servers: { shop: { url: URL } } },
    note: 'Zed does not read environment variables: sign in with OAuth, or add the header to your own settings.',
  },
];
const ALL = EXPECTED.map(({ id }) => id).join(',');

describe('fledge mcp init --client', () => {
  it.each(EXPECTED)('sets up $id', async ({ id, file, parse, content, note }) => {
    const { code, out, err } = await init('--client', id, '--http', URL, '--bearer');
    expect([code, err]).toEqual([0, '']);
    const shown = file.startsWith('home/') ? join(root, file) : file.replace('shop/', '');
    expect(out).toBe(`Wrote ${shown} with the server shop. ${note}\n`);
    expect(files()).toEqual([file, 'shop/package.json'].sort());
    expect(parse(read(file))).toEqual(content);

    const before = read(file);
    const again = await init('--client', id, '--http', URL, '--bearer');
    expect(again.out).toBe(`${shown} is up to date: it has the server shop. ${note}\n`);
    expect(read(file)).toBe(before);
  });

  it('writes and prints no token', async () => {
    const bearer = ['--http', URL, '--bearer'];
    const runs = [
      await init('--client', ALL, ...bearer),
      await init('--client', ALL, ...bearer, '--print'),
      await init('--client', ALL, ...bearer, '--force', '--name', 'till'),
      await init(...bearer, '--links'),
      await init('--client', ALL, '--http', URL, '--bearer', TOKEN),
    ];
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0, 2]);
    expect(runs.at(-1)?.err).toMatch(
      /^fledge: --bearer must be the name of an environment variable/,
    );
    for (const { out, err } of runs) expect(out + err).not.toContain(TOKEN);
    expect(files()).toHaveLength(EXPECTED.length + 1);
    for (const file of files()) expect(read(file)).not.toContain(TOKEN);
  });

  it('shows no token of a server that is there already', async () => {
    put(
      'shop/.mcp.json',
      `{"mcpServers":{"shop":{"url":"http://x/mcp?key=${TOKEN}","headers":{"Authorization":"${TOKEN}"}}}}`,
    );
    const { code, err } = await init('--http', URL);
    expect(code).toBe(2);
    expect(err).toContain('.mcp.json, line 1, already has a different server "shop" at http://x.');
    expect(err).not.toContain(TOKEN);
  });

  it('keeps comments and other servers', async () => {
    put(
      'shop/.vscode/mcp.json',
      '{\n  // mine\n  "servers": { "till": { "url": "x" } }, // two\n}\n',
    );
    put('home/.codex/config.toml', '# mine\n[mcp_servers.till] # two\ncommand = "x"\n');
    put(
      'home/.config/goose/config.yaml',
      '# mine\nextensions:\n  till: # two\n    enabled: false\n',
    );
    const { code } = await init('--client', 'vscode,codex', '--client', 'goose', '--http', URL);
    expect(code).toBe(0);
    const vscode = read('shop/.vscode/mcp.json');
    expect(parseJsonc(vscode)).toEqual({
      servers: { till: { url: 'x' }, shop: { type: 'http', url: URL } },
    });
    expect(vscode.match(/\/\/ (mine|two)/g)).toEqual(['// mine', '// two']);
    expect(read('home/.codex/config.toml')).toBe(
      `# mine\n[mcp_servers.till] # two\ncommand = "x"\n\n[mcp_servers.shop]\nurl = "${URL}"\n`,
    );
    const goose = read('home/.config/goose/config.yaml');
    expect(goose).toMatch(/^# mine\nextensions:\n {2}till: # two\n {4}enabled: false\n {2}shop:\n/);
  });

  it('sets up several servers at once, such as the endpoints of an application', async () => {
    const args = ['--client', 'vscode,codex', '--bearer', '--http', URL, '--http', `admin=${URL}2`];
    const { out } = await init(...args);
    expect(out).toContain('Wrote .vscode/mcp.json with the servers shop, admin. VS Code asks');
    const vscode = JSON.parse(read('shop/.vscode/mcp.json')) as {
      servers: object;
      inputs: object[];
    };
    expect(vscode.servers).toMatchObject({ shop: { url: URL }, admin: { url: `${URL}2` } });
    expect(vscode.inputs).toMatchObject([{ id: 'shop-token' }, { id: 'admin-token' }]);
    expect(parseToml(read('home/.codex/config.toml'))).toMatchObject({
      mcp_servers: { shop: { url: URL }, admin: { url: `${URL}2` } },
    });
    expect((await init(...args)).out.match(/is up to date: it has the servers/g)).toHaveLength(2);
    const links = await init('--links', '--http', `a=${URL}`, '--http', `b=${URL}`);
    expect(links.out.match(/Add [ab] to Cursor/g)).toEqual(['Add a to Cursor', 'Add b to Cursor']);
  });

  it('leaves alone what the user has set beside our keys', async () => {
    await init('--client', 'goose,codex', '--http', URL);
    const goose = read('home/.config/goose/config.yaml')
      .replace('enabled: true', 'enabled: false')
      .replace('timeout: 300', 'timeout: 60');
    put('home/.config/goose/config.yaml', goose);
    put('home/.codex/config.toml', `${read('home/.codex/config.toml')}tool_timeout_sec = 90\n`);
    const { code, out } = await init('--client', 'goose,codex', '--http', URL);
    expect(code).toBe(0);
    expect(out.match(/is up to date/g)).toHaveLength(2);
    expect(read('home/.config/goose/config.yaml')).toBe(goose);
  });

  it.each([
    [
      'shop/.vscode/mcp.json',
      '{\n  "servers": {\n',
      /^fledge: \.vscode\/mcp\.json, line 3, is not valid JSON/,
    ],
    [
      'shop/.vscode/mcp.json',
      '{\n  "servers": []\n}',
      /mcp\.json, line 2, must have an object in "servers", not an array/,
    ],
    [
      'shop/.vscode/mcp.json',
      '{\n "inputs": {}\n}',
      /mcp\.json, line 2, must have an array in "inputs", not an object/,
    ],
    ['home/.codex/config.toml', 'a = \n', /config\.toml, line 1, is not valid TOML/],
    [
      'home/.codex/config.toml',
      'mcp_servers = 1\n',
      /config\.toml, line 1, must have an object in "mcp_servers", not a number/,
    ],
    ['home/.config/goose/config.yaml', 'a: 1\n b: [\n', /config\.yaml, line \d, is not valid YAML/],
    [
      'home/.config/goose/config.yaml',
      'a: 1\nextensions: x\n',
      /config\.yaml, line 2, must have an object in "extensions", not a string/,
    ],
    [
      'home/.codex/config.toml',
      '[mcp_servers]\nshop = "x"\n',
      /config\.toml, line \d, already has a different server "shop"\./,
    ],
  ])('refuses %s with %j and writes nothing', async (file, text, message) => {
    put(file, text);
    const args = ['--client', 'cursor,vscode,codex,goose', '--http', URL, '--bearer'];
    const { code, out, err } = await init(...args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(message);
    expect(read(file)).toBe(text);
    expect(files()).toEqual([file, 'shop/package.json'].sort());
  });

  it('prefers the folder of a client in the project to the home', async () => {
    put('shop/.codex/config.toml', '');
    put('shop/.zed/settings.json', '{}');
    expect((await init('--client', 'codex,zed', '--http', URL)).code).toBe(0);
    expect(files()).not.toContainEqual(expect.stringMatching(/^home/));
    expect(read('shop/.codex/config.toml')).toContain('[mcp_servers.shop]');
    expect(read('shop/.zed/settings.json')).toContain('"context_servers"');
  });

  it('prints what a file needs, and writes nothing', async () => {
    const one = await init('--client', 'vscode', '--print');
    expect(JSON.parse(one.out)).toEqual({
      servers: {
        shop: { type: 'stdio', command: 'node', args: [BIN, 'mcp', 'start'] },
      },
    });
    const two = await init('--client', 'cursor,codex', '--print', '--http', URL);
    expect(two.out).toBe(
      `.cursor/mcp.json (Cursor):\n{\n  "mcpServers": {\n    "shop": {\n      "url": "${URL}"\n    }\n  }\n}\n\n` +
        `${join(root, 'home/.codex/config.toml')} (Codex):\n[mcp_servers.shop]\nurl = "${URL}"\n`,
    );
    expect(files()).toEqual(['shop/package.json']);
  });

  it('writes the form of a client into the file of --out', async () => {
    await init('--client', 'codex', '--http', URL, '--out', 'other.toml');
    expect(read('shop/other.toml')).toBe(`[mcp_servers.shop]\nurl = "${URL}"\n`);
  });

  it.each([
    [['--client', 'emacs'], /--client is "emacs", but must be one or more of claude-code, cursor,/],
    [['--client', ''], /--client is ""/],
    [['--client', 'cursor,zed', '--out', 'x.json'], /--out is "x\.json", but must be omitted/],
    [['--bearer'], /--bearer must be used together with --http URL/],
    [['--http', URL, '--http', URL], /--http is ".*", but must be NAME=URL, with a different name/],
    [
      ['--client', 'claude-code', '--force', '--http', `a b=${URL}`, '--http', `a.b=${URL}`],
      /--http is "a\.b", but must be NAME=URL with a name other than "a b", because Claude Code stores both as "a-b"/,
    ],
    [['--links'], /--links must be used together with --http URL/],
    [['--links', '--print', '--http', URL], /--links' cannot be used with option '--print/],
  ])('refuses %j', async (args, message) => {
    const { code, out, err } = await init(...args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(message);
    expect(files()).toEqual(['shop/package.json']);
  });
});

describe('fledge mcp init without --client', () => {
  it('sets up Claude Code and the clients that have a folder in the project, and names the others', async () => {
    put('shop/.cursor/rules.md', '');
    put('shop/.vscode/settings.json', '{}');
    mkdirSync(join(root, 'home/.codex'), { recursive: true });
    const { out } = await init('--http', URL);
    expect(out).toBe(`Wrote .mcp.json with the server shop.
Wrote .cursor/mcp.json with the server shop.
Wrote .vscode/mcp.json with the server shop.
To set up other clients: --client gemini,codex,windsurf,goose,zed
`);
    expect(existsSync(join(root, 'home/.codex/config.toml'))).toBe(false);
  });
});

describe('fledge mcp init --links', () => {
  const links = async (...args: string[]) => (await init('--links', '--http', URL, ...args)).out;

  it('prints links that Cursor and VS Code read', async () => {
    const out = await links('--bearer');
    const cursor = new globalThis.URL(
      /\((https:\/\/cursor\.com\/en\/install-mcp[^)]*)\)/.exec(out)?.[1] ?? '',
    );
    expect(cursor.searchParams.get('name')).toBe('shop');
    const config = Buffer.from(cursor.searchParams.get('config') ?? '', 'base64').toString();
    expect(JSON.parse(config)).toEqual(EXPECTED[1]?.content.mcpServers?.shop);
    expect(out).toContain(`cursor://anysphere.cursor-deeplink/mcp/install${cursor.search}\n`);

    const vscode = new globalThis.URL(/\((https:\/\/vscode\.dev[^)]*)\)/.exec(out)?.[1] ?? '');
    const { servers, inputs } = EXPECTED[2]!.content as {
      servers: { shop: object };
      inputs: object;
    };
    expect(JSON.parse(vscode.searchParams.get('config') ?? '')).toEqual(servers.shop);
    expect(JSON.parse(vscode.searchParams.get('inputs') ?? '')).toEqual(inputs);
    const deep = /vscode:mcp\/install\?(.*)/.exec(out)?.[1] ?? '';
    expect(JSON.parse(decodeURIComponent(deep))).toEqual({ name: 'shop', ...servers.shop, inputs });
  });

  it('prints commands for a shell', async () => {
    const out = await links('--bearer', '--name', "ada's shop");
    expect(out).toContain(
      `claude mcp add --transport http ada-s-shop ${URL} --header 'Authorization: Bearer \${FLEDGE_MCP_TOKEN}'\n`,
    );
    expect(out).toContain(`--url ${URL} --bearer-token-env-var FLEDGE_MCP_TOKEN\n`);
    expect(out).not.toContain('code --add-mcp');
  });

  it('has no header without --bearer', async () => {
    const out = await links();
    expect(decodeURIComponent(out)).not.toMatch(/Authorization|inputs|bearer/i);
    expect(out).toContain(`code --add-mcp '{"name":"shop","type":"http","url":"${URL}"}'\n`);
  });
});
