// `list`, `call` and `check` of the built command, over stdio and against a running server.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { appFile, fledge, type Served, serve } from '../support/fledge.js';

describe('commands over stdio', () => {
  const run = (command: string, ...args: string[]) =>
    fledge(['mcp', command, ...args, '--entry', appFile('noisy')], {
      env: { PLATFORM: 'fastify', SEARCH: '1', TOKEN: 'secret', FLEDGE_MCP_TOKEN: 'secret' },
    });

  it('lists every tool of an application with search, one per line', async () => {
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
  });

  it('prints the result of a tool', async () => {
    expect(await run('call', 'noisy_token')).toEqual({
      code: 0,
      out: '{"authorization":"Bearer secret"}\n',
      err: '',
    });
  });

  it('prints the result of a tool that fails, and exits with 1', async () => {
    const { code, out, err } = await run('call', 'noisy_refuse');
    expect([code, JSON.parse(out), err]).toEqual([
      1,
      { statusCode: 409, message: 'Not today' },
      '',
    ]);
  });

  it('suggests the nearest name for an unknown tool', async () => {
    expect(await run('call', 'noisy_eco')).toEqual({
      code: 2,
      out: '',
      err: 'fledge: There is no tool "noisy_eco". Did you mean noisy_echo? [CLI_UNKNOWN_TOOL]\n',
    });
  });

  it('checks the tools of an application, although everything in it prints', async () => {
    const { code, out, err } = await run('check', '--for', 'openai', '--json');
    const findings = JSON.parse(out) as { rule: string; severity: string }[];
    expect([code, err]).toEqual([0, '']);
    expect(findings.map(({ rule, severity }) => `${severity} ${rule}`)).toEqual([
      'warning S13',
      'warning S15',
    ]);
  });

  it('reads the arguments of a call from stdin for -', async () => {
    const args = ['mcp', 'call', 'noisy_echo', '--entry', appFile('noisy'), '--args', '-'];
    const { out } = await fledge(args, { input: '{ "id": "from stdin" }' });
    expect(out).toBe('{"id":"from stdin"}\n');
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
