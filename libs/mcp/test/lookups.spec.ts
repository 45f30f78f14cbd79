// How often a request asks `visible`: once for what it names, also where scopes are checked and calls can become tasks.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, Param } from '@nestjs/common';
import { McpPrompt, McpResource, McpTool } from '../src/index.js';
import { platforms } from '../../../test/support/platforms.js';
import { controllers, type RunningApp, startApp } from './support/app.js';
import { wire } from './support/wire.js';

const scopes = ['notes.read'];

@Controller('notes')
class NotesController {
  @Get()
  @McpTool({ name: 'list', description: 'Lists', scopes })
  @McpResource({ uri: 'notes://all', scopes })
  list() {
    return ['a'];
  }

  @Get('slow')
  @McpTool({ name: 'slow', description: 'May become a task', scopes, task: true })
  slow() {
    return 'done';
  }

  @Get('names')
  names() {
    return ['a', 'b'];
  }

  @Get(':id')
  @McpTool({ name: 'get', description: 'Gets', headers: { id: 'Note' } })
  @McpPrompt({ name: 'get', description: 'Prompts', scopes, complete: { id: 'names' } })
  @McpResource({ uri: 'notes://{id}', scopes })
  get(@Param('id') id: string) {
    return id;
  }
}

const auth = {
  type: 'bearer' as const,
  validate: (token: string) => ({ id: token, scopes: token.split('+') }),
};
const argument = { name: 'id', value: '' };
const id = { id: 'a' };
const prompt = { type: 'ref/prompt', name: 'get' };

/** Method, parameters, and whether the caller lacks a scope without `notes.read`. */
const REQUESTS = [
  ['tools/call', { name: 'list' }, true],
  ['tools/call', { name: 'slow' }, true],
  ['tools/call', { name: 'get', arguments: id }, false],
  ['prompts/get', { name: 'get', arguments: id }, true],
  ['resources/read', { uri: 'notes://all' }, true],
  ['resources/read', { uri: 'notes://a' }, true],
  ['completion/complete', { ref: prompt, argument }, true],
] as const;

describe.each(platforms)('what a request names on $name', ({ adapter }) => {
  let running: RunningApp;
  let asked: string[];

  beforeAll(async () => {
    running = await startApp(adapter(), {
      ...controllers(NotesController),
      mcp: {
        auth,
        endpoints: [{ path: '/_mcp/messages' }, { path: '/resumed', sessions: { resume: true } }],
        visible: ({ name }) => {
          asked.push(name);
          return Promise.resolve(true);
        },
      },
    });
  });
  afterAll(() => running.close());

  async function inSession(method: string, params: object, token: string) {
    const authorization = `Bearer ${token}`;
    const session = await running.wire.initialize({ authorization });
    asked = [];
    const headers = { authorization, 'mcp-session-id': session };
    return running.wire.post({ jsonrpc: '2.0', id: 1, method, params }, headers);
  }

  function withoutSession(method: string, params: Record<string, unknown>, token: string) {
    asked = [];
    const name = params['name'] ?? params['uri'];
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {
        extensions: { 'io.modelcontextprotocol/tasks': {} },
      },
    };
    return running.wire.post(
      { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } },
      {
        authorization: `Bearer ${token}`,
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...(typeof name === 'string' && { 'mcp-name': name }),
        ...(params['name'] === 'get' && { 'mcp-param-note': 'a' }),
      },
    );
  }

  describe.each([
    ['2025-11-25', inSession],
    ['2026-07-28', withoutSession],
  ])('in %s', (_, send) => {
    it.each(REQUESTS)('is looked up once by %s of %j', async (method, params, isScoped) => {
      const answer = await send(method, params, 'notes.read');
      expect(answer.message).toHaveProperty('result');
      expect(asked).toHaveLength(1);

      const refused = await send(method, params, 'other');
      expect(refused.status).toBe(isScoped ? 403 : 200);
      expect(refused.headers.get('www-authenticate')?.includes('notes.read') ?? false).toBe(
        isScoped,
      );
      expect(asked).toHaveLength(1);
    });
  });

  it('is refused with 403 where streams can be resumed, and before a stream begins', async () => {
    const authorization = 'Bearer other';
    const resumed = wire(`${running.url}/resumed`);
    const headers = {
      authorization,
      'mcp-session-id': await resumed.initialize({ authorization }),
      'mcp-protocol-version': '2025-11-25',
    };
    const params = { name: 'list' };
    const refused = await resumed.post(
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
      headers,
    );
    expect([refused.status, refused.headers.get('content-type')]).toEqual([
      403,
      'application/json; charset=utf-8',
    ]);
    const listed = await resumed.post({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, headers);
    expect(listed.text).toMatch(/^id: .*\nretry: \d+\ndata: \n\n(event: message\n)?id: /);
  });
});
