// `list` and `call` of the built command, over stdio and against running servers.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { appFile, fledge, type Served, serve } from '../support/fledge.js';

const MESSAGES = '/_mcp/messages';

// Each platform and each wire once: the command knows nothing of the platform.
describe.each([
  ['express', 'http'],
  ['fastify', 'stdio'],
])('list and call on %s, over %s', (PLATFORM, wire) => {
  let server: Served;
  beforeAll(async () => {
    server = await serve('noisy', { PLATFORM, TOKEN: 'secret' });
  });
  afterAll(() => server.stop());

  const run = (command: string, ...args: string[]) =>
    fledge(
      [
        'mcp',
        command,
        ...args,
        ...(wire === 'stdio' ? ['--entry', appFile('noisy')] : ['--http', server.url + MESSAGES]),
      ],
      { env: { PLATFORM, FLEDGE_MCP_TOKEN: 'secret' } },
    );

  it('lists the tools, one per line', async () => {
    expect(await run('list')).toEqual({
      code: 0,
      err: '',
      out: [
        'noisy_token\t\tTells what token it was called with\n',
        'noisy_refuse\t\tAlways refuses\n',
        'noisy_echo\tid\tAnswers its argument\n',
        'noisy_image\t\tAn image\n',
        'noisy_end\t\tEnds the process\n',
        'noisy_slow\t\tTakes a minute\n',
      ].join(''),
    });
    const { out } = await run('list', '--json');
    expect(JSON.parse(out)[2]).toMatchObject({
      name: 'noisy_echo',
      inputSchema: { required: ['id'] },
    });
  });

  it('tells what each tool costs', async () => {
    const { code, out } = await run('list', '--cost');
    const rows = out
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'));
    expect([code, rows.length, rows.at(-1)?.[0]]).toEqual([0, 7, '6 tools']);
    const bytes = rows.slice(0, -1).map((row) => Number(row[1]));
    expect(bytes).toEqual(bytes.toSorted((a, b) => b - a));
    expect(rows.at(-1)?.[1]).toBe(String(bytes.reduce((sum, each) => sum + each)));
    expect(await run('list', '--cost', '--json')).toMatchObject({
      code: 2,
      err: expect.stringContaining("'--json' cannot be used with option '--cost'"),
    });
  });

  it('prints the result of a tool', async () => {
    expect(await run('call', 'noisy_token')).toEqual({
      code: 0,
      out: '{"authorization":"Bearer secret"}\n',
      err: '',
    });
    expect((await run('call', 'noisy_echo', '--args', '{"id":"7"}')).out).toBe('{"id":"7"}\n');
    expect((await run('call', 'noisy_image')).out).toBe('[image: image/png, 8 B]\n');
  });

  it('prints the result of a tool that fails, and exits with 1', async () => {
    const { code, out, err } = await run('call', 'noisy_refuse');
    expect([code, JSON.parse(out), err]).toEqual([
      1,
      { statusCode: 409, message: 'Not today' },
      '',
    ]);
    const whole = await run('call', 'noisy_refuse', '--json');
    expect(whole.code).toBe(1);
    expect(JSON.parse(whole.out)).toMatchObject({ isError: true, content: [{ type: 'text' }] });
  });

  it('suggests the nearest name for an unknown tool', async () => {
    expect(await run('call', 'noisy_eco')).toEqual({
      code: 2,
      out: '',
      err: 'fledge: There is no tool "noisy_eco". Did you mean noisy_echo? [CLI_UNKNOWN_TOOL]\n',
    });
    expect((await run('call', 'zzz')).err).toContain('List them: npx @fledge/cli mcp list.');
  });
});

describe.each(['stdio', 'http'])('list and call with search, over %s', (wire) => {
  const env = { PLATFORM: 'express', SEARCH: '1' };
  let server: Served;
  beforeAll(async () => {
    server = await serve('noisy', env);
  });
  afterAll(() => server.stop());

  const run = (...args: string[]) => {
    const where =
      wire === 'stdio' ? ['--entry', appFile('noisy')] : ['--http', server.url + MESSAGES];
    return fledge(['mcp', ...args, ...where], { env });
  };

  it('lists every tool, and what the short list costs', async () => {
    const { out } = await run('list', '--json');
    expect((JSON.parse(out) as { name: string }[]).map(({ name }) => name)).toEqual([
      'noisy_token',
      'noisy_refuse',
      'noisy_echo',
      'noisy_image',
      'noisy_end',
      'noisy_slow',
    ]);
    const rows = (await run('list', '--cost')).out.trimEnd().split('\n');
    expect(rows).toHaveLength(8);
    expect(rows.slice(-2)).toEqual([
      expect.stringMatching(/^6 tools\t\d+\t\d+$/),
      expect.stringMatching(/^2 listed\t\d+\t\d+$/),
    ]);
  });

  it('suggests a name that is not listed', async () => {
    expect((await run('call', 'noisy_eco')).err).toContain('Did you mean noisy_echo?');
  });
});

describe('call --args', () => {
  const call = (args: string, input?: string) =>
    fledge(['mcp', 'call', 'noisy_echo', '--entry', appFile('noisy'), '--args', args], {
      ...(input !== undefined && { input }),
    });

  it('reads stdin for -', async () => {
    expect((await call('-', '{ "id": "from stdin" }')).out).toBe('{"id":"from stdin"}\n');
  });

  it.each([
    ['[1]', /--args must be a JSON object, but is an array/],
    ['null', /--args must be a JSON object, but is null/],
    ['{id:1}', /--args is not valid JSON: line 1, column 2, has "i" instead of a name/],
    ['', /--args is not valid JSON: line 1, column 1, has the end/],
  ])('refuses %j before anything starts', async (args, message) => {
    const { code, out, err } = await call(args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(message);
    expect((await call('-', args)).err).toMatch(/--args - \(stdin\) /);
  });
});

describe('a server with sessions', () => {
  let server: Served;
  beforeAll(async () => {
    server = await serve('session-server');
  });
  afterAll(() => server.stop());

  it('is called in its own revision; its session is closed; in a pipe progress is not printed', async () => {
    const answer = await fledge(['mcp', 'call', 'count', '--http', server.url]);
    expect(answer).toEqual({ code: 0, out: 'counted\n', err: '' });
    expect(server.output()).toMatch(/DELETE\s*$/);
  });
});
