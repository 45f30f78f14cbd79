// Errors and exit codes of commands against running servers, in the process of the test.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get } from '@nestjs/common';
import { McpModule, McpTool } from '@fledge/mcp';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';
import { fledgeHere } from './support/fledge-here.js';

const list = (url: string, ...args: string[]) =>
  fledgeHere(['mcp', 'list', '--http', url, ...args]);

describe.each(platforms)('a server that refuses, on $name', (platform) => {
  let origin: string;
  let endpoint: string;
  beforeAll(async () => {
    const auth = { type: 'bearer' as const, validate: (token: string) => token === 'secret' };
    const imports = [McpModule.forRoot({ name: 'demo', auth })];
    ({ url: origin } = await serve({ imports }, platform));
    endpoint = `${origin}/_mcp/messages`;
  });
  afterAll(closeAll);

  it('is reported if it refuses the token', async () => {
    for (const args of [[], ['--token', 'wrong']]) {
      const { code, out, err } = await list(endpoint, ...args);
      expect([code, out]).toEqual([3, '']);
      expect(err).toMatch(
        /rejected the request with HTTP 401\..*--token TOKEN.*\[CLI_UNAUTHORIZED\]/,
      );
    }
    expect((await list(endpoint, '--token', 'secret')).code).toBe(0);
  });

  it('is reported if the token lacks a scope', async () => {
    @Controller('notes')
    class NotesController {
      @Get()
      @McpTool({ name: 'notes', description: 'Lists notes', scopes: ['notes:read'] })
      list() {
        return [];
      }
    }
    const auth = { type: 'bearer' as const, validate: () => ({ id: 'ada', scopes: [] }) };
    const imports = [McpModule.forRoot({ name: 'demo', auth })];
    const { url } = await serve({ imports, controllers: [NotesController] }, platform);
    const args = ['mcp', 'call', 'notes', '--token', 'a', '--http', `${url}/_mcp/messages`];
    const { code, err } = await fledgeHere(args);
    expect(code).toBe(3);
    expect(err).toMatch(/the token lacks a scope: "notes:read"\..*\[CLI_UNAUTHORIZED\]/);
  });

  it('gets no token that cannot be sent, and messages do not repeat it', async () => {
    const token = 'sk-secret\nabc';
    for (const { code, out, err } of [
      await list(endpoint, '--token', token),
      await fledgeHere(['mcp', 'list', '--http', endpoint], token),
    ]) {
      expect([code, out]).toEqual([2, '']);
      expect(err).toMatch(/^fledge: --token, or FLEDGE_MCP_TOKEN, must be .*\[CLI_BAD_OPTION\]$/m);
      expect(err).not.toContain('secret');
    }
  });

  it('is reported if the path is wrong', async () => {
    const { code, err } = await list(`${origin}/mcp`);
    expect(code).toBe(3);
    expect(err).toMatch(
      /responded with HTTP 404\. Check the path: Fledge serves MCP at \/_mcp\/messages/,
    );
  });
});

describe('a server that is no MCP server', () => {
  let server: Server;
  beforeAll(async () => {
    server = createServer((request, response) => {
      const status = Number.parseInt(request.url?.slice(1) ?? '');
      if (request.url?.endsWith('/json')) {
        response.writeHead(200, { 'content-type': 'application/json' }).end('[{"id":1}]');
      } else if (status > 0) response.writeHead(status).end('no MCP here');
    }).listen(0);
    await once(server, 'listening');
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const at = (path: string) => `http://localhost:${(server.address() as AddressInfo).port}${path}`;

  it('is reported in one line if a route of the application answers', async () => {
    const { code, err } = await list(at('/0/json'));
    expect(code).toBe(3);
    expect(err).toMatch(
      /^fledge: \S+\/0\/json responded, but is not an MCP server\. Check the path: .*\[CLI_SERVER_UNREACHABLE\]\n$/,
    );
  });

  it('is reported, also if it does not answer', async () => {
    for (const status of [200, 302, 500]) {
      const { code, err } = await list(at(`/${status}`));
      expect([code, err]).toEqual([3, expect.stringContaining('[CLI_SERVER_UNREACHABLE]')]);
    }
    expect((await list(at('/0'), '--timeout', '1')).err).toContain('[CLI_TIMEOUT]');
  });

  it('is reported without the query of its URL', async () => {
    const { err } = await list(`${at('/500')}?token=sk-secret`);
    expect(err).toContain('/500 responded with HTTP 500');
    expect(err).not.toContain('secret');
  });
});
