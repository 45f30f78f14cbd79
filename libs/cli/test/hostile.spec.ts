// A server that wants to harm the person who runs a command, in the process of the test.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fledgeHere } from './support/fledge-here.js';

/** U+009B begins a sequence that a terminal executes. `JSON.stringify` does not escape it. */
const CSI = '\u009b';

const RESULTS: Record<string, object> = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'hostile', version: '1' },
  },
  'tools/list': {
    tools: [{ name: 'one', description: `${CSI}2J`, inputSchema: { type: 'object' } }],
  },
  'tools/call': { content: [{ type: 'text', text: `${CSI}2J` }] },
};

describe('a hostile server', () => {
  let server: Server;
  let url: string;
  let deletes = 0;

  beforeAll(async () => {
    server = createServer((request, response) => {
      // The request that ends the session never gets a response.
      if (request.method === 'DELETE') return void (deletes += 1);
      if (request.method !== 'POST') return void response.writeHead(405).end();
      void json(request).then((message) => {
        const { id, method } = message as { id?: number; method: string };
        if (id === undefined) return void response.writeHead(202).end();
        const result = RESULTS[method];
        const answer = result ? { result } : { error: { code: -32601, message: 'No' } };
        const headers = { 'content-type': 'application/json', 'mcp-session-id': 'one' };
        response.writeHead(200, headers).end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  });
  afterAll(() => server.close().closeAllConnections());

  it('does not keep a command running, and sends no control characters in JSON', async () => {
    const answers = [
      await fledgeHere(['mcp', 'list', '--json', '--http', url]),
      await fledgeHere(['mcp', 'call', 'one', '--json', '--http', url]),
    ];
    for (const { code, out, err } of answers) {
      expect([code, err]).toEqual([0, '']);
      expect(out).not.toContain(CSI);
      expect(JSON.stringify(JSON.parse(out))).toContain(`${CSI}2J`);
    }
    expect(deletes).toBe(2);
  });
});
