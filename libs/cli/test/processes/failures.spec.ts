// Errors and exit codes of the built command.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { appFile, fledge, type Served, serve } from '../support/fledge.js';

const MESSAGES = '/_mcp/messages';

describe('an application that fails', () => {
  it('is reported with its last output, also binary output', async () => {
    const args = ['mcp', 'list', '--entry', appFile('crashing')];
    const { code, out, err } = await fledge(args);
    expect([code, out]).toEqual([3, '']);
    expect(err).toMatch(/crashing\.mjs could not be started\. Its last output: \[CLI_APP_/);
    expect(err).toMatch(/^ {2}\| Error: crashes at import$/m);
    const verbose = await fledge([...args, '--verbose']);
    expect(verbose.err).toMatch(/^Error: crashes at import$/m);
    expect(verbose.err.match(/crashes at import/g)).toHaveLength(1);
  });

  it('is ended if it does not answer', async () => {
    const args = ['mcp', 'list', '--entry', appFile('silent'), '--timeout', '1'];
    const { code, err } = await fledge(args);
    expect(code).toBe(3);
    expect(err).toMatch(/\| fledge: .*silent\.mjs did not serve MCP within 1 s/);
  });

  it('is reported if it exits while a tool runs', async () => {
    const { code, err } = await fledge(['mcp', 'call', 'noisy_end', '--entry', appFile('noisy')]);
    expect(code).toBe(3);
    expect(err).toMatch(/noisy\.mjs ended before it answered.*\[CLI_CONNECTION_LOST\]/);
    expect(err).toContain('  | ');
  });

  it('is reported if there is none', async () => {
    const { code, err } = await fledge(['mcp', 'list'], { cwd: '/' });
    expect([code, err]).toEqual([3, expect.stringContaining('[CLI_ENTRY_NOT_FOUND]')]);
  });
});

describe('a server that fails', () => {
  let server: Served;
  let other: Server;
  beforeAll(async () => {
    server = await serve('noisy', { TOKEN: 'secret' });
    other = createServer((request, response) => {
      const status = Number.parseInt(request.url?.slice(1) ?? '');
      if (request.url?.endsWith('/json')) {
        response.writeHead(200, { 'content-type': 'application/json' }).end('[{"id":1}]');
      } else if (status > 0) response.writeHead(status).end('no MCP here');
    }).listen(0);
    await once(other, 'listening');
  });
  afterAll(async () => {
    other.closeAllConnections();
    other.close();
    await server.stop();
  });
  const ask = (url: string, ...args: string[]) => fledge(['mcp', 'list', '--http', url, ...args]);
  const at = (path: string) => `http://localhost:${(other.address() as AddressInfo).port}${path}`;

  it('is reported if it refuses the token', async () => {
    for (const args of [[], ['--token', 'wrong']]) {
      const { code, out, err } = await ask(server.url + MESSAGES, ...args);
      expect([code, out]).toEqual([3, '']);
      expect(err).toMatch(
        /refused the request with HTTP 401\..*--token TOKEN.*\[CLI_UNAUTHORIZED\]/,
      );
    }
    expect((await ask(server.url + MESSAGES, '--token', 'secret')).code).toBe(0);
  });

  it('gets no token that cannot be sent, and messages do not repeat it', async () => {
    const url = `${server.url}${MESSAGES}`;
    const env = { FLEDGE_MCP_TOKEN: 'sk-secret\nabc' };
    for (const run of [
      ask(url, '--token', 'sk-secret\nabc'),
      fledge(['mcp', 'list', '--http', url], { env }),
    ]) {
      const { code, out, err } = await run;
      expect([code, out]).toEqual([2, '']);
      expect(err).toMatch(/^fledge: --token, or FLEDGE_MCP_TOKEN, must be .*\[CLI_BAD_OPTION\]$/m);
      expect(err).not.toContain('secret');
    }
    const { err } = await ask(`${at('/500')}?token=sk-secret`);
    expect(err).toContain('/500 answered HTTP 500');
    expect(err).not.toContain('secret');
  });

  it('is reported if the path is wrong', async () => {
    const { code, err } = await ask(`${server.url}/mcp`);
    expect(code).toBe(3);
    expect(err).toMatch(/answered HTTP 404\. Check the path: Fledge serves \/_mcp\/messages/);
  });

  it('is reported in one line if a route of the application answers', async () => {
    const { code, err } = await ask(at('/0/json'));
    expect(code).toBe(3);
    expect(err).toMatch(
      /^fledge: \S+\/0\/json answered, but not as an MCP server\. Check the path: .*\[CLI_SERVER_UNREACHABLE\]\n$/,
    );
  });

  it('is reported if it is not an MCP server, does not answer or does not run', async () => {
    for (const status of [200, 302, 500]) {
      const { code, err } = await ask(at(`/${status}`));
      expect([code, err]).toEqual([3, expect.stringContaining('[CLI_SERVER_UNREACHABLE]')]);
    }
    expect((await ask(at('/0'), '--timeout', '1')).err).toContain('[CLI_TIMEOUT]');
    const { code, err } = await ask('http://127.0.0.1:2/');
    expect(code).toBe(3);
    expect(err).toMatch(
      /127\.0\.0\.1:2\/ cannot be reached: connect ECONNREFUSED 127\.0\.0\.1:2\. Is/,
    );
  });
});

it('call fails after --timeout, counted from when the application serves, and ends the application', async () => {
  const args = ['mcp', 'call', 'noisy_slow', '--entry', appFile('noisy'), '--timeout', '0.2'];
  const { code, err } = await fledge(args);
  expect(code).toBe(3);
  expect(err).toMatch(/did not answer within 0\.2 s.*--timeout 0\.4\. \[CLI_TIMEOUT\]/);
});
