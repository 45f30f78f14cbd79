// `list` and `call` against running servers, in the process of the test.
import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  Controller,
  Get,
  Headers,
  HttpException,
  Param,
  Req,
  StreamableFile,
} from '@nestjs/common';
import { McpModule, McpTool } from '@fledge/mcp';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';
import { fledgeHere } from './support/fledge-here.js';

@Controller()
class DemoController {
  @Get('token')
  @McpTool({ name: 'demo_token', description: 'Tells what token it was called with' })
  token(@Req() request: IncomingMessage) {
    return { authorization: request.headers.authorization ?? null };
  }

  @Get('refuse')
  @McpTool({ name: 'demo_refuse', description: 'Always refuses' })
  refuse() {
    throw new HttpException('Not today', 409);
  }

  @Get('echo/:id')
  @McpTool({ name: 'demo_echo', description: 'Answers its argument' })
  echo(@Param('id') id: string) {
    return { id };
  }

  @Get('image')
  @McpTool({ name: 'demo_image', description: 'An image' })
  image() {
    return new StreamableFile(Buffer.from('89504e470d0a1a0a', 'hex'), { type: 'image/png' });
  }
}

const TOOLS = ['demo_token', 'demo_refuse', 'demo_echo', 'demo_image'];

afterAll(closeAll);

describe.each(platforms)('list and call over HTTP on $name', (platform) => {
  let all: string;
  let searched: string;
  beforeAll(async () => {
    const at = async (search: boolean) => {
      const auth = { type: 'bearer' as const, validate: (token: string) => token === 'secret' };
      const mcp = McpModule.forRoot({ name: 'demo', search, auth });
      const { url } = await serve({ imports: [mcp], controllers: [DemoController] }, platform);
      return `${url}/_mcp/messages`;
    };
    [all, searched] = [await at(false), await at(true)];
  });

  const run = (...args: string[]) => fledgeHere(['mcp', ...args, '--http', all], 'secret');

  it('lists the tools, one per line', async () => {
    expect(await run('list')).toEqual({
      code: 0,
      err: '',
      out: [
        'demo_token\t\tTells what token it was called with\n',
        'demo_refuse\t\tAlways refuses\n',
        'demo_echo\tid\tAnswers its argument\n',
        'demo_image\t\tAn image\n',
      ].join(''),
    });
    const { out } = await run('list', '--json');
    expect(JSON.parse(out)[2]).toMatchObject({
      name: 'demo_echo',
      inputSchema: { required: ['id'] },
    });
  });

  it('says on stderr that a server lists no tools', async () => {
    const { url } = await serve({ imports: [McpModule.forRoot({ name: 'empty' })] }, platform);
    expect(await fledgeHere(['mcp', 'list', '--http', `${url}/_mcp/messages`])).toEqual({
      code: 0,
      out: '',
      err: 'fledge: The server lists no tools.\n',
    });
  });

  it('tells what each tool costs', async () => {
    const { code, out } = await run('list', '--cost');
    const rows = out
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'));
    expect([code, rows.length, rows.at(-1)?.[0]]).toEqual([0, 5, '4 tools']);
    const bytes = rows.slice(0, -1).map((row) => Number(row[1]));
    expect(bytes).toEqual(bytes.toSorted((a, b) => b - a));
    expect(rows.at(-1)?.[1]).toBe(String(bytes.reduce((sum, each) => sum + each)));
    expect(await run('list', '--cost', '--json')).toMatchObject({
      code: 2,
      err: expect.stringContaining("'--json' cannot be used with option '--cost'"),
    });
  });

  it('prints the result of a tool', async () => {
    expect(await run('call', 'demo_token')).toEqual({
      code: 0,
      out: '{"authorization":"Bearer secret"}\n',
      err: '',
    });
    expect((await run('call', 'demo_echo', '--args', '{"id":"7"}')).out).toBe('{"id":"7"}\n');
    expect((await run('call', 'demo_image')).out).toBe('[image: image/png, 8 B]\n');
  });

  it('prints the result of a tool that fails, and exits with 1', async () => {
    const { code, out, err } = await run('call', 'demo_refuse');
    expect([code, JSON.parse(out), err]).toEqual([
      1,
      { statusCode: 409, message: 'Not today' },
      '',
    ]);
    const whole = await run('call', 'demo_refuse', '--json');
    expect(whole.code).toBe(1);
    expect(JSON.parse(whole.out)).toMatchObject({ isError: true, content: [{ type: 'text' }] });
  });

  it('suggests the nearest name for an unknown tool', async () => {
    expect(await run('call', 'demo_eco')).toEqual({
      code: 2,
      out: '',
      err: 'fledge: There is no tool "demo_eco". Did you mean demo_echo? [CLI_UNKNOWN_TOOL]\n',
    });
    expect((await run('call', 'zzz')).err).toContain('List the tools: npx @fledge/cli mcp list.');
  });

  describe('with search', () => {
    const search = (...args: string[]) =>
      fledgeHere(['mcp', ...args, '--http', searched], 'secret');

    it('lists every tool, and what the short list costs', async () => {
      const { out } = await search('list', '--json');
      expect((JSON.parse(out) as { name: string }[]).map(({ name }) => name)).toEqual(TOOLS);
      const rows = (await search('list', '--cost')).out.trimEnd().split('\n');
      expect(rows).toHaveLength(6);
      expect(rows.slice(-2)).toEqual([
        expect.stringMatching(/^4 tools\t\d+\t\d+$/),
        expect.stringMatching(/^2 listed\t\d+\t\d+$/),
      ]);
    });

    it('suggests a name that is not listed', async () => {
      expect((await search('call', 'demo_eco')).err).toContain('Did you mean demo_echo?');
    });
  });
});

@Controller()
class HeaderController {
  @Get('whoami')
  @McpTool({ name: 'whoami', description: 'Tells the tenant of the call' })
  whoami(@Headers('x-tenant-id') tenant: string) {
    return { tenant };
  }
}

describe('--header', () => {
  it('is sent with each request, and replaces the token', async () => {
    const auth = { type: 'bearer' as const, validate: (token: string) => token === 'secret' };
    const mcp = McpModule.forRoot({ name: 'demo', auth, forwardHeaders: ['x-tenant-id'] });
    const app = { imports: [mcp], controllers: [HeaderController] };
    const { url } = await serve(app, platforms[0]!);
    const run = (...args: string[]) =>
      fledgeHere(['mcp', ...args, '--http', `${url}/_mcp/messages`], 'secret');
    const tenant = ['--header', 'X-Tenant-ID:  acme ', '--header', 'x-other: a: b'];
    expect(await run('call', 'whoami', ...tenant)).toEqual({
      code: 0,
      out: '{"tenant":"acme"}\n',
      err: '',
    });
    const { err } = await run('list', '--header', 'Authorization: Bearer other');
    expect(err).toContain('[CLI_UNAUTHORIZED]');
  });

  it.each([['secret'], [': secret'], ['a b: secret'], ['x-key: sec\nret'], ['x-key: secr€t']])(
    'refuses %j without repeating the value',
    async (header) => {
      const { code, err } = await fledgeHere([
        'mcp',
        'list',
        '--http',
        'http://127.0.0.1:1/',
        '--header',
        header,
      ]);
      expect([code, err]).toEqual([
        2,
        expect.stringContaining("--header must be a header such as 'x-tenant-id: acme'"),
      ]);
      expect(err).not.toContain('sec');
    },
  );

  it('is refused without --http, because stdio has no headers', async () => {
    const list = ['mcp', 'list', '--entry', 'never-started.js', '--header', 'x-tenant-id: acme'];
    const { code, err } = await fledgeHere(list);
    expect([code, err]).toEqual([2, expect.stringContaining('--header must be used with --http')]);
  });
});

describe('call --args', () => {
  it.each([
    ['[1]', /--args must be a JSON object, but is an array/],
    ['null', /--args must be a JSON object, but is null/],
    ['{id:1}', /--args is not valid JSON: line 1, column 2, has "i" instead of a name/],
    ['', /--args is not valid JSON: line 1, column 1, has the end/],
  ])('refuses %j before anything starts', async (args, message) => {
    const call = ['mcp', 'call', 'echo', '--entry', 'never-started.js', '--args', args];
    const { code, out, err } = await fledgeHere(call);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(message);
  });
});
