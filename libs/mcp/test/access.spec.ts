// Who may reach and know of what: tokens, scopes, visibility, and where tokens come from.
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Controller, Get, type INestApplication, Logger, Param } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import type { Client as ModernClient } from '@modelcontextprotocol/client';
import {
  McpAdapter,
  type McpAdapterOptions,
  McpPrompt,
  type McpRequest,
  McpResource,
  McpTool,
} from '../src/index.js';
import { controllers, type RunningApp, startApp } from './support/app.js';
import { textOf } from './support/clients.js';
import { connectEra, type EraClient, eras } from './support/eras.js';
import { platforms } from '../../../test/support/platforms.js';
import { until } from '../../../test/support/until.js';
import { INITIALIZE } from './support/wire.js';

@Controller('notes')
class NotesController {
  @Get('open')
  @McpTool({ name: 'open', description: 'For everybody' })
  @McpResource({ uri: 'notes://open' })
  @McpPrompt({ name: 'open', description: 'For everybody' })
  open() {
    return 'open';
  }

  @Get('secret')
  @McpTool({ name: 'secret', description: 'For admins' })
  @McpResource({ uri: 'notes://secret' })
  @McpPrompt({ name: 'secret', description: 'For admins' })
  secret() {
    return 'secret';
  }

  @Get('secret/:id')
  @McpResource({ uri: 'notes://secret/{id}' })
  secretOf(@Param('id') id: string) {
    return id;
  }
}

@Controller('scoped')
class ScopedController {
  @Get('free')
  @McpTool({ name: 'free', description: 'Needs nothing' })
  free() {
    return 'free';
  }

  @Get('scoped')
  @McpTool({ name: 'scoped', description: 'Needs two scopes', scopes: ['notes.read', 'notes.all'] })
  @McpResource({ uri: 'notes://scoped', scopes: ['notes.read'] })
  @McpPrompt({ name: 'scoped', description: 'Needs a scope', scopes: ['notes.read'] })
  scoped() {
    return 'scoped';
  }
}

const auth = {
  type: 'bearer' as const,
  validate: (token: string) => token !== 'bad' && { id: token, scopes: token.split('+') },
};

describe.each(platforms)('access on $name', ({ name: platform, adapter }) => {
  let running: RunningApp;
  let client: EraClient | undefined;
  afterEach(async () => {
    await client?.close();
    client = undefined;
    await running.close();
    jest.restoreAllMocks();
  });

  const start = async (mcp: Partial<McpAdapterOptions>, ...types: object[]) =>
    (running = await startApp(adapter(), { ...controllers(...types), mcp }));

  describe.each(eras)('of clients of %s', (era) => {
    const as = async (token: string) => {
      const headers = { authorization: `Bearer ${token}` };
      client = await connectEra(era, running.endpoint, { headers });
      return { ...client, sdk: client.client as ModernClient };
    };

    it('hides what is not for the caller, as if it were not there', async () => {
      const seen: (McpRequest & { readonly kind?: string })[] = [];
      await start(
        {
          auth,
          visible(published, request) {
            seen.push(request);
            if (request.principal?.id === 'broken') throw new Error('the database is down');
            return !published.mountPath.includes('secret') || request.principal?.id === 'admin';
          },
        },
        NotesController,
      );
      const admin = await as('admin');
      const names = (list: { name: string }[]) => list.map(({ name }) => name);
      expect(names((await admin.sdk.listTools()).tools)).toEqual(['open', 'secret']);
      expect(names((await admin.sdk.listPrompts()).prompts)).toEqual(['open', 'secret']);
      expect(textOf(await admin.call('secret'))).toBe('secret');
      expect(seen[0]).toMatchObject({
        headers: { authorization: 'Bearer admin' },
        remoteAddress: '127.0.0.1',
        principal: { id: 'admin' },
      });
      await client?.close();

      for (const token of ['user', 'broken']) {
        const user = await as(token);
        const open = token === 'user' ? ['open'] : [];
        expect(names((await user.sdk.listTools()).tools)).toEqual(open);
        expect(names((await user.sdk.listPrompts()).prompts)).toEqual(open);
        expect((await user.sdk.listResources()).resources).toHaveLength(open.length);
        expect((await user.sdk.listResourceTemplates()).resourceTemplates).toEqual([]);
        const answers = async (request: Promise<unknown>) =>
          String(await request.catch((error: unknown) => (error as Error).message));
        const masked = (text: string) => text.replaceAll('secret', '*').replaceAll('absent', '*');
        for (const ask of [
          (name: string) => user.call(name),
          (name: string) => user.sdk.getPrompt({ name }),
          (name: string) => user.sdk.readResource({ uri: `notes://${name}` }),
          (name: string) => user.sdk.readResource({ uri: `notes://${name}/1` }),
        ]) {
          const hidden = masked(await answers(ask('secret')));
          expect(hidden).toBe(masked(await answers(ask('absent'))));
          expect(hidden).toMatch(/Unknown|not found/);
        }
        await client?.close();
      }
      client = undefined;
    });

    it('lets nobody without the scopes near a tool, and says which', async () => {
      await start({ auth }, ScopedController);
      const reader = await as('notes.read');
      expect(textOf(await reader.call('free'))).toBe('free');
      await expect(reader.call('scoped')).rejects.toThrow(/403|scope/i);
      expect((await reader.sdk.readResource({ uri: 'notes://scoped' })).contents).toHaveLength(1);
      await client?.close();
      const owner = await as('notes.read+notes.all');
      expect(textOf(await owner.call('scoped'))).toBe('scoped');
    });
  });

  it.each<[value: unknown, reason: string]>([
    ['notes.read', 'the scopes are a string, but must be a list'],
    ['my-notes.read notes.all', 'the scopes are a string, but must be a list'],
    [new Set(['notes.read']), 'the scopes are an object, but must be a list'],
    [{ 'notes.read': true }, 'the scopes are an object, but must be a list'],
    [5, 'the scopes are a number, but must be a list'],
    [true, 'the scopes are a boolean, but must be a list'],
    [['notes.read', 5], 'the scopes are a list, but must be a list that contains only strings'],
  ])('refuses a principal whose scopes are %p, and says how to fix it', async (scopes, reason) => {
    const errors: string[] = [];
    jest.spyOn(Logger.prototype, 'error').mockImplementation((line) => void errors.push(line));
    const validate = () => ({ id: 'ada', scopes }) as never;
    await start({ auth: { type: 'bearer', validate } }, ScopedController);
    const headers = { authorization: 'Bearer token' };
    const answer = await running.wire.post(INITIALIZE, headers);
    expect([answer.status, answer.message.error]).toEqual([
      401,
      { code: -32000, message: 'Unauthorized' },
    ]);
    const call = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'scoped' } };
    expect((await running.wire.post(call, headers)).status).toBe(401);
    expect(errors).toHaveLength(2);
    expect(errors[0]).toContain(reason);
    expect(errors[0]).toContain("To split a string, use payload.scope.split(' ')");
  });

  it.each<[principal: unknown, reason: string]>([
    [{ sub: 'ada' }, 'the `id` of the principal is undefined'],
    [{ id: '' }, 'the `id` of the principal is an empty string'],
    [{ id: {} }, 'the `id` of the principal is an object'],
    ['ada', 'the value is a string. Return true, false or { id, scopes }'],
  ])('refuses %p as a principal: callers would share sessions', async (principal, reason) => {
    const errors: string[] = [];
    jest.spyOn(Logger.prototype, 'error').mockImplementation((line) => void errors.push(line));
    const validate = () => principal as never;
    await start({ auth: { type: 'bearer', validate } }, ScopedController);
    const answer = await running.wire.post(INITIALIZE, { authorization: 'Bearer token' });
    expect(answer.status).toBe(401);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain(reason);
  });

  it('answers a call for want of scopes with a challenge a client can act on', async () => {
    await start(
      {
        auth: {
          ...auth,
          resourceMetadata: {
            resource: 'https://api.example.com',
            authorization_servers: ['https://login.example.com'],
          },
        },
      },
      ScopedController,
    );
    const { wire } = running;
    const headers = { authorization: 'Bearer notes.read' };
    const session = await wire.initialize(headers);
    const call = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'scoped' } };
    const answer = await wire.post(call, { ...headers, 'mcp-session-id': session });
    expect(answer.status).toBe(403);
    expect(answer.headers.get('www-authenticate')).toBe(
      'Bearer error="insufficient_scope", scope="notes.read notes.all", ' +
        'resource_metadata="https://api.example.com/.well-known/oauth-protected-resource"',
    );
    expect(answer.message).toEqual({
      jsonrpc: '2.0',
      id: 7,
      error: {
        code: -32000,
        message: 'Forbidden: This request requires the scopes notes.read notes.all',
      },
    });
    for (const message of [
      { ...call, params: { name: 'free' } },
      { ...call, method: 'tools/list', params: {} },
      { ...call, params: { name: 'absent' } },
    ]) {
      expect((await wire.post(message, { ...headers, 'mcp-session-id': session })).status).toBe(
        200,
      );
    }
  });

  it('lets nobody listen for resources that are hidden, or whose scopes are missing', async () => {
    await start(
      { auth, visible: ({ mountPath }) => !mountPath.includes('secret') },
      NotesController,
      ScopedController,
    );
    const known = ['notes://open', 'notes://scoped', 'notes://secret', 'notes://secret/1'];
    const resourceSubscriptions = [...known, 'notes://open', 'notes://absent'];
    for (const [token, heard] of [
      ['nobody', ['notes://open']],
      ['notes.read', ['notes://open', 'notes://scoped']],
    ] as const) {
      const headers = { authorization: `Bearer ${token}` };
      client = await connectEra('2026-07-28', running.endpoint, { headers });
      const sdk = client.client as ModernClient;
      const { honoredFilter, close } = await sdk.listen({ resourceSubscriptions });
      expect(honoredFilter).toEqual({ resourceSubscriptions: heard });
      const adapter = running.app.get(McpAdapter);
      const { updates } = client;
      await until(() => {
        for (const uri of resourceSubscriptions) adapter.resourceUpdated(uri);
        return updates.includes(heard.at(-1)!);
      });
      expect([...new Set(updates)]).toEqual(heard);
      await close();
      await client.close();
    }
  });

  it('serves the metadata of the resource at both well-known paths, to everyone', async () => {
    const resourceMetadata = {
      resource: 'https://api.example.com/app',
      authorization_servers: ['https://login.example.com'],
      resource_name: 'Notes',
    };
    await start({ auth: { ...auth, resourceMetadata } }, ScopedController);
    const document = {
      scopes_supported: ['notes.read', 'notes.all'],
      bearer_methods_supported: ['header'],
      ...resourceMetadata,
    };
    const root = `${running.url}/.well-known/oauth-protected-resource`;
    for (const url of [root, `${root}/_mcp/messages`, `${root}/app`]) {
      const answer = await fetch(url);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([
        200,
        'application/json; charset=utf-8',
      ]);
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect(await answer.json()).toEqual(document);
      expect((await fetch(url, { method: 'HEAD' })).status).toBe(200);
      expect((await fetch(url, { method: 'OPTIONS' })).status).toBe(204);
      expect((await fetch(url, { method: 'POST' })).status).toBe(405);
    }
    expect((await fetch(`${root}/other`)).status).toBe(404);
    const refused = await running.wire.post(INITIALIZE);
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer resource_metadata="https://api.example.com/.well-known/oauth-protected-resource/app"',
    ]);
  });

  it.each<[what: string, mcp: Partial<McpAdapterOptions>, warned: readonly unknown[]]>([
    [
      'metadata for the origin',
      { auth: { ...auth, resourceMetadata: metadataOf('https://api.example.com') } },
      [
        'The metadata of the endpoint /_mcp/messages has the `resource` https://api.example.com, which is not the URL of ' +
          'the endpoint. Clients such as VS Code and Gemini CLI reject such metadata and cannot log in. Set ' +
          'auth.resourceMetadata.resource to the URL of the endpoint, such as https://api.example.com/_mcp/messages.',
      ],
    ],
    [
      'metadata for the endpoint',
      {
        auth: { ...auth, resourceMetadata: metadataOf('https://api.example.com/_mcp/messages') },
      },
      [],
    ],
    [
      'a prefix of a proxy',
      { auth: { ...auth, resourceMetadata: metadataOf('https://example.com/api/mcp/messages') } },
      [expect.stringContaining('has the `resource` https://example.com/api/mcp/messages')],
    ],
    [
      'a prefix of a proxy before the path',
      {
        basePath: '/mcp',
        auth: { ...auth, resourceMetadata: metadataOf('https://example.com/api/mcp/messages') },
      },
      [],
    ],
    [
      'an audience',
      { auth: { type: 'oidc', issuer: 'https://a.example', audience: 'https://b.example/mcp' } },
      [expect.stringContaining('Set auth.audience to the URL of the endpoint')],
    ],
    [
      'one audience for two endpoints',
      {
        auth: { type: 'oidc', issuer: 'https://a.example', audience: 'https://b.example/mcp/a' },
        endpoints: [{ path: '/mcp/a' }, { path: '/mcp/b' }],
      },
      [
        expect.stringMatching(
          /^The metadata of the endpoint \/mcp\/b has the `resource` .* Set `auth` for each endpoint separately\.$/,
        ),
      ],
    ],
    ['a document that is elsewhere', { auth: { ...auth, resourceMetadata: 'https://c.d/e' } }, []],
  ])('warns of metadata that clients reject: %s', async (_, mcp, warned) => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    await start(mcp, ScopedController);
    const all = warn.mock.calls.map(([text]: unknown[]) => String(text));
    expect(all.filter((text) => text.startsWith('The metadata of'))).toEqual(warned);
  });

  it('names metadata that is served elsewhere, and serves none', async () => {
    const resourceMetadata = 'https://login.example.com/metadata';
    await start({ auth: { ...auth, resourceMetadata } }, ScopedController);
    const refused = await running.wire.post(INITIALIZE, { authorization: 'Bearer bad' });
    expect(refused.headers.get('www-authenticate')).toBe(
      'Bearer error="invalid_token", error_description="The access token is invalid", ' +
        `resource_metadata="${resourceMetadata}"`,
    );
    const root = `${running.url}/.well-known/oauth-protected-resource`;
    expect((await fetch(root)).status).toBe(404);
  });

  it('exposes in auto mode nothing of swagger, nor of its own', async () => {
    running = await startApp(adapter(), {
      ...controllers(NotesController),
      mcp: { mode: 'auto', auth },
      main(app: INestApplication) {
        const document = SwaggerModule.createDocument(app, new DocumentBuilder().build());
        // On Fastify its pages would take one more package; the document is a route of the same kind.
        SwaggerModule.setup('api', app, document, { ui: platform === 'Express' });
      },
    });
    expect((await fetch(`${running.url}/api-json`)).status).toBe(200);
    expect(
      running.app
        .get(McpAdapter)
        .getTools()
        .map(({ mountPath }) => mountPath),
    ).toEqual(['/notes/open', '/notes/secret', '/notes/secret/:id']);
  });
});

function metadataOf(resource: string) {
  return { resource, authorization_servers: ['https://login.example.com'] };
}

describe('access that cannot be', () => {
  const boot = (mcp: object, ...types: object[]) =>
    startApp(platforms[0]!.adapter(), { ...controllers(...types), mcp });

  it('is scopes without auth', async () => {
    await expect(boot({}, ScopedController)).rejects.toThrow(
      /ScopedController\.scoped requires scopes, but the endpoint \/_mcp\/messages has no `auth`/,
    );
  });

  it.each<[unknown, RegExp]>([
    ['/metadata', /auth\.resourceMetadata \}\) is "\/metadata", but must be an absolute URL/],
    [{ resource: 'api', authorization_servers: [] }, /resourceMetadata\.resource \}\) is "api"/],
    [{ resource: 'https://a.example#b', authorization_servers: [] }, /without a fragment/],
    [{ resource: 'https://a.example' }, /authorization_servers \}\) is undefined/],
  ])('is metadata such as %j', async (resourceMetadata, message) => {
    jest.spyOn(Logger.prototype, 'error').mockReturnValue(undefined);
    await expect(boot({ auth: { ...auth, resourceMetadata } })).rejects.toThrow(message);
  });

  const oidc = { type: 'oidc', issuer: 'https://a.example', audience: 'https://b.example' };

  it.each<[object, RegExp]>([
    [{ type: 'basic' }, /auth\.type \}\) is "basic", but must be 'bearer' or 'oidc'/],
    [{ ...auth, issuer: 'https://a.example' }, /auth\.issuer \}\) is only for the type 'oidc'/],
    [{ ...oidc, validate: auth.validate }, /auth\.validate \}\) is only for the type 'bearer'/],
    [{ ...oidc, isuer: 'a' }, /auth\.isuer \}\) is not an option\. Did you mean issuer\?/],
    [{ ...oidc, issuer: undefined }, /auth\.issuer \}\) is undefined, but must be an absolute URL/],
    [{ ...oidc, issuer: 'a.example' }, /auth\.issuer \}\) is "a\.example"/],
    [
      { ...oidc, issuer: 'https://a.example?b' },
      /must be an absolute URL without a query string or fragment/,
    ],
    [{ ...oidc, audience: undefined }, /auth\.audience \}\) is undefined/],
    [{ ...oidc, audience: [] }, /auth\.audience \}\)/],
    [
      { ...oidc, audience: 'api://tasks' },
      /resourceMetadata\.resource \}\).*`audience` contains no URL/,
    ],
    [{ ...oidc, jwksUri: '/keys' }, /auth\.jwksUri \}\) is "\/keys"/],
    [{ ...oidc, algorithms: ['RS256', 'HS256'] }, /auth\.algorithms\[1\] \}\) is "HS256"/],
    [{ ...oidc, algorithms: [] }, /auth\.algorithms \}\) is an empty list/],
    [{ ...oidc, typ: 'JWT' }, /auth\.typ \}\) is "JWT"/],
    [{ ...oidc, clockToleranceMs: -1 }, /auth\.clockToleranceMs \}\) is -1/],
    [{ ...oidc, keyCacheMs: 0 }, /auth\.keyCacheMs \}\) is 0/],
    [{ ...oidc, requiredScopes: ['a"b'] }, /auth\.requiredScopes\[0\] \}\) is "a\\"b"/],
    [{ ...oidc, requiredScopes: 'mcp' }, /auth\.requiredScopes \}\) is "mcp", but must be a list/],
    [{ ...oidc, scopesOf: 'scope' }, /auth\.scopesOf \}\) is "scope", but must be a function/],
  ])('is authentication such as %j', async (given, message) => {
    jest.spyOn(Logger.prototype, 'error').mockReturnValue(undefined);
    await expect(boot({ auth: given })).rejects.toThrow(message);
  });

  // No token has such a scope, and a header cannot contain some of them.
  it.each([
    ['admin', '"admin"'],
    [['tasks.read tasks.write'], 'a list'],
    [['tasks"read'], 'a list'],
    [['größe'], 'a list'],
    [[''], 'a list'],
  ])('is %j as the scopes of a tool', async (scopes, given) => {
    @Controller('text')
    class TextController {
      @Get()
      @McpTool({ description: 'x', scopes: scopes as never })
      find() {
        return 'found';
      }
    }
    await expect(boot({ auth }, TextController)).rejects.toThrow(
      `@McpTool({ scopes }) on TextController.find is ${given}, but must be a list of scopes ` +
        "without spaces or quotes, such as ['tasks.read'].",
    );
  });

  it('is a short secret', async () => {
    await expect(boot({ stateSecret: 'short' })).rejects.toThrow(
      /stateSecret \}\) has 5 bytes, but must have at least 32/,
    );
  });
});
