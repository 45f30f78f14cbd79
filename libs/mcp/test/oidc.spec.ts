// Tokens of a provider: which are accepted, and which are refused.
import { describe, expect, it } from '@jest/globals';
import { exportSPKI, generateKeyPair, importJWK } from 'jose';
import { textOf } from './support/clients.js';
import { connectEra, eras } from './support/eras.js';
import { postModern } from './support/modern-wire.js';
import type { TokenParts } from './support/issuer.js';
import { AUDIENCE, oidcApp } from './support/oidc-app.js';
import { platforms } from '../../../test/support/platforms.js';

describe.each(platforms)('tokens of a provider on $name', (platform) => {
  const oidc = oidcApp(platform);
  const challengeOf = async (bearer: string) =>
    (await oidc.post(bearer)).headers.get('www-authenticate');

  it.each(eras)('gives the claims to a tool, for clients of %s', async (era) => {
    await oidc.start();
    const bearer = await oidc.token({ claims: { email: 'ada@example.com', id: 'x', scopes: 'y' } });
    const client = await connectEra(era, oidc.running.endpoint, {
      headers: { authorization: `Bearer ${bearer}` },
    });
    expect(JSON.parse(textOf(await client.call('who')))).toMatchObject({
      id: `${oidc.issuer.url}#ada`,
      sub: 'ada',
      iss: oidc.issuer.url,
      email: 'ada@example.com',
      scopes: [],
    });
    await client.close();
  });

  it('refuses every token that is not for this application, now, from this provider', async () => {
    await oidc.start();
    const now = Math.floor(Date.now() / 1_000);
    const foreign = await generateKeyPair('ES256');
    const refused: Record<string, TokenParts> = {
      'another audience': { claims: { aud: 'https://other.example.com' } },
      'no audience': { claims: { aud: undefined } },
      'another issuer': { claims: { iss: 'https://evil.example.com' } },
      'the issuer with a slash': { claims: { iss: `${oidc.issuer.url}/` } },
      'not yet valid': { claims: { nbf: now + 300 } },
      'without end': { claims: { exp: undefined } },
      'without subject': { claims: { sub: undefined } },
      'a subject that is no text': { claims: { sub: '' } },
      'another key': { key: foreign.privateKey },
      'an unknown key id': { header: { kid: 'absent' } },
      'another kind of JWT': { header: { typ: 'logout+jwt' } },
      'bound to a key': { claims: { cnf: { jkt: 'thumbprint' } } },
    };
    expect(await oidc.statusOf()).toBe(200);
    for (const [what, parts] of Object.entries(refused)) {
      expect([what, await challengeOf(await oidc.token(parts))]).toEqual([
        what,
        'Bearer error="invalid_token", error_description="The access token is invalid", ' +
          'resource_metadata="https://api.example.com/.well-known/oauth-protected-resource/mcp"',
      ]);
    }
    expect(await challengeOf(await oidc.token({ claims: { exp: now - 60 } }))).toContain(
      'error="invalid_token", error_description="The access token expired"',
    );
  });

  it('accepts clocks that differ by less than the tolerance', async () => {
    await oidc.start();
    const now = Math.floor(Date.now() / 1_000);
    expect(await oidc.statusOf({ claims: { exp: now - 5 } })).toBe(200);
    await oidc.start({ clockToleranceMs: 0 });
    expect(await oidc.statusOf({ claims: { exp: now - 5 } })).toBe(401);
  });

  it('accepts no token without signature, and none signed with the public key as a secret', async () => {
    await oidc.start();
    expect(await oidc.statusOf()).toBe(200);
    const [, payload] = (await oidc.token()).split('.');
    const none = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url');
    const fetched = oidc.issuer.requests.length;
    expect((await oidc.post(`${none}.${payload}.`)).status).toBe(401);
    const [jwk] = oidc.issuer.published;
    const pem = await exportSPKI((await importJWK(jwk!, 'ES256')) as never);
    for (const secret of [pem, JSON.stringify(jwk), jwk!.x!]) {
      const key = new TextEncoder().encode(secret);
      expect(await oidc.statusOf({ header: { alg: 'HS256' }, key })).toBe(401);
    }
    expect(oidc.issuer.requests).toHaveLength(fetched);
  });

  it('answers 401 for whatever is no token', async () => {
    await oidc.start();
    const whole = await oidc.token();
    for (const bearer of [
      'opaque',
      'a.b.c',
      'a.b.c.d.e',
      `${whole}x`,
      whole.slice(0, -9),
      '..',
      'é',
    ]) {
      const { status, text } = await oidc.post(encodeURIComponent(bearer).replaceAll('%', ''));
      expect([bearer, status]).toEqual([bearer, 401]);
      expect(text).toBe(
        '{"jsonrpc":"2.0","error":{"code":-32000,"message":"Unauthorized"},"id":null}',
      );
    }
    const { status, headers } = await oidc.post(undefined);
    expect([status, headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer resource_metadata="https://api.example.com/.well-known/oauth-protected-resource/mcp"',
    ]);
    expect(oidc.issuer.keyRequests).toBeLessThanOrEqual(1);
  });

  it('takes tokens with at+jwt only, if that is required', async () => {
    await oidc.start();
    for (const typ of ['JWT', 'at+jwt', 'application/at+jwt', undefined]) {
      expect([typ, await oidc.statusOf({ header: { typ } })]).toEqual([typ, 200]);
    }
    await oidc.start({ typ: 'at+jwt' });
    expect(await oidc.statusOf()).toBe(200);
    for (const typ of ['JWT', undefined]) {
      expect([typ, await oidc.statusOf({ header: { typ } })]).toEqual([typ, 401]);
    }
  });

  it('reads scopes in each spelling, and from a claim of the application', async () => {
    await oidc.start();
    const exported = async (claims: Record<string, unknown>) => {
      const authorization = `Bearer ${await oidc.token({ claims })}`;
      const session = await oidc.running.wire.initialize({ authorization });
      const answer = await oidc.running.wire.post(
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'export' } },
        { authorization, 'mcp-session-id': session },
      );
      await oidc.running.wire.send('DELETE', { authorization, 'mcp-session-id': session });
      return answer.status;
    };
    for (const claims of [
      { scope: 'openid tasks.export' },
      { scope: ['openid', 'tasks.export'] },
      { scp: 'tasks.export' },
      { scp: ['tasks.export'] },
    ]) {
      expect([claims, await exported(claims)]).toEqual([claims, 200]);
    }
    for (const claims of [{}, { scope: 'tasks' }, { scp: 7 }, { permissions: ['tasks.export'] }]) {
      expect([claims, await exported(claims)]).toEqual([claims, 403]);
    }
    await oidc.start({ scopesOf: ({ permissions }) => permissions as string[] });
    expect(await exported({ permissions: ['tasks.export'] })).toBe(200);
    // A text would contain its own parts: what is no list is refused.
    expect(await oidc.statusOf({ claims: { permissions: 'tasks.export.all' } })).toBe(401);
  });

  it('asks for the scopes that each request needs', async () => {
    await oidc.start({ requiredScopes: ['mcp', 'tasks'] });
    expect(await oidc.statusOf({ claims: { scope: 'tasks mcp' } })).toBe(200);
    const metadata =
      'resource_metadata="https://api.example.com/.well-known/oauth-protected-resource/mcp"';
    const lacking = await oidc.post(await oidc.token({ claims: { scope: 'mcp' } }));
    expect([lacking.status, lacking.headers.get('www-authenticate')]).toEqual([
      403,
      `Bearer error="insufficient_scope", scope="mcp tasks", ${metadata}`,
    ]);
    expect((await oidc.post(undefined)).headers.get('www-authenticate')).toBe(
      `Bearer scope="mcp tasks", ${metadata}`,
    );
  });

  it('asks for scopes that a client would lose if it requested only those of the tool', async () => {
    await oidc.start({ requiredScopes: ['mcp'] });
    const token = await oidc.token({ claims: { scope: ['mcp', 'tasks', '"quoted"'] } });
    const headers = { authorization: `Bearer ${token}` };
    const { wire } = oidc.running;
    const params = { name: 'export' };
    const session = await wire.initialize(headers);
    const answers = [
      await wire.post(
        { jsonrpc: '2.0', id: 7, method: 'tools/call', params },
        { ...headers, 'mcp-session-id': session },
      ),
      await postModern(wire, { method: 'tools/call', params, headers }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403]);
    const scopes = answers.map((answer) =>
      /scope="([^"]*)", /.exec(answer.headers.get('www-authenticate') ?? '')?.at(1),
    );
    // Clients of 2026-07-28 add the scopes that they have (SEP-2350).
    expect(scopes).toEqual(['mcp tasks tasks.export', 'mcp tasks.export']);
    const { message } = answers[0]!;
    expect(message).toMatchObject({
      error: { message: 'Forbidden: This request requires the scopes tasks.export' },
    });
  });

  it('serves metadata that leads to the provider', async () => {
    await oidc.start({ resourceMetadata: { resource_documentation: 'https://docs.example.com' } });
    const root = `${oidc.running.url}/.well-known/oauth-protected-resource`;
    for (const url of [root, `${root}/_mcp/messages`, `${root}/mcp`]) {
      expect(await (await fetch(url)).json()).toEqual({
        resource: AUDIENCE,
        resource_name: 'spec',
        resource_documentation: 'https://docs.example.com',
        authorization_servers: [oidc.issuer.url],
        bearer_methods_supported: ['header'],
        scopes_supported: ['tasks.export'],
      });
    }
    expect(oidc.issuer.requests).toEqual([]);
  });

  it('keeps sessions of two people apart, also where the id of a person is one', async () => {
    await oidc.start();
    const as = async (sub: string) => ({
      authorization: `Bearer ${await oidc.token({ claims: { sub } })}`,
    });
    const session = await oidc.running.wire.initialize(await as('ada'));
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    const listed = async (headers: Record<string, string>) =>
      (await oidc.running.wire.post(list, { ...headers, 'mcp-session-id': session })).status;
    expect(await listed(await as('bob'))).toBe(404);
    // Another token of the same person continues the session.
    expect(await listed(await as('ada'))).toBe(200);
  });
});
