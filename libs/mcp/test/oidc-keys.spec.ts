// The keys of a provider: when they are read, and what happens while they cannot be.
import { describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Issuer } from './support/issuer.js';
import { AUDIENCE, oidcApp } from './support/oidc-app.js';
import { platforms } from '../../../test/support/platforms.js';
import { until } from '../../../test/support/until.js';

describe.each(platforms)('the keys of a provider on $name', (platform) => {
  const oidc = oidcApp(platform);

  it('reads the keys once for many first requests, and at boot nothing', async () => {
    await oidc.start();
    expect(oidc.issuer.requests).toEqual([]);
    const bearers = await Promise.all(Array.from({ length: 50 }, () => oidc.token()));
    const answers = await Promise.all(bearers.map((bearer) => oidc.post(bearer)));
    expect(answers.map(({ status }) => status)).toEqual(bearers.map(() => 200));
    expect(oidc.issuer.requests).toEqual(['/.well-known/oauth-authorization-server', '/keys']);
  });

  it('reads no keys of another issuer, and few for unknown key ids', async () => {
    const other = await Issuer.start();
    await oidc.start();
    const foreign = await other.token(AUDIENCE, { header: { jku: `${other.origin}/keys` } });
    expect((await oidc.post(foreign)).status).toBe(401);
    const hostile = Array.from({ length: 40 }, (_, i) => oidc.token({ header: { kid: `k${i}` } }));
    const answers = await Promise.all(
      (await Promise.all(hostile)).map((bearer) => oidc.post(bearer)),
    );
    expect(answers.every(({ status }) => status === 401)).toBe(true);
    expect([other.requests, oidc.issuer.keyRequests]).toEqual([[], 1]);
    await other.close();
  });

  it('refuses a token of a key that was withdrawn, once the cached keys are old', async () => {
    await oidc.start({ keyCacheMs: 1 });
    const before = await oidc.token();
    expect((await oidc.post(before)).status).toBe(200);
    await oidc.issuer.rotate('second');
    expect(await oidc.statusOf()).toBe(200);
    expect((await oidc.post(before)).status).toBe(401);
  });

  it.each<[string, (issuer: Issuer) => void]>([
    ['answers 500', (down) => (down.instead = (response) => response.writeHead(500).end())],
    ['ends the connection', (down) => (down.instead = (response) => response.destroy())],
    ['answers no JSON', (down) => (down.instead = (response) => response.end('<html>'))],
    ['has no keys', (down) => (down.instead = (response) => response.end('{"keys":7}'))],
  ])(
    'answers 503 while the provider %s, and does not ask it for each token',
    async (_what, fail) => {
      const errors = jest.spyOn(Logger.prototype, 'error').mockReturnValue(undefined);
      await oidc.start({ keyCacheMs: 1 });
      const bearer = await oidc.token();
      fail(oidc.issuer);
      const { status, headers, text } = await oidc.post(bearer);
      expect([status, headers.get('retry-after'), headers.get('www-authenticate')]).toEqual([
        503,
        '5',
        null,
      ]);
      expect(text).not.toContain(oidc.issuer.origin);
      const asked = oidc.issuer.requests.length;
      const more = await Promise.all(Array.from({ length: 20 }, () => oidc.post(bearer)));
      expect(more.every((each) => each.status === 503)).toBe(true);
      expect(oidc.issuer.requests).toHaveLength(asked);
      expect(errors).toHaveBeenCalledTimes(1);
    },
  );

  it('recovers when the provider does, also with old keys', async () => {
    jest.spyOn(Logger.prototype, 'error').mockReturnValue(undefined);
    await oidc.start({ keyCacheMs: 1 });
    const bearer = await oidc.token();
    expect((await oidc.post(bearer)).status).toBe(200);
    oidc.issuer.instead = (response) => response.destroy();
    await until(async () => (await oidc.post(bearer)).status === 503);
    oidc.issuer.instead = undefined;
    await until(async () => (await oidc.post(bearer)).status === 200);
  });

  it('finds the metadata at each well-known path, and takes none of another issuer', async () => {
    jest.spyOn(Logger.prototype, 'error').mockReturnValue(undefined);
    for (const path of [
      '/.well-known/oauth-authorization-server/realm',
      '/.well-known/openid-configuration/realm',
      '/realm/.well-known/openid-configuration',
    ]) {
      oidc.issuer.metadata = { ...oidc.issuer.metadata, issuer: `${oidc.issuer.origin}/realm` };
      oidc.issuer.metadataPath = path;
      await oidc.start();
      expect([path, await oidc.statusOf()]).toEqual([path, 200]);
    }
    const claimed = oidc.issuer.url;
    oidc.issuer.metadata = { ...oidc.issuer.metadata, issuer: `${oidc.issuer.origin}/realm/` };
    await oidc.start({ issuer: claimed });
    expect(await oidc.statusOf({ claims: { iss: claimed } })).toBe(503);
    expect(Logger.prototype.error).toHaveBeenCalledWith(
      expect.stringContaining(
        `the metadata has the issuer "${claimed}/". If this issuer is your provider, set auth.issuer to exactly this value`,
      ),
    );
  });

  it('reads keys at jwksUri without metadata', async () => {
    oidc.issuer.metadataPath = '/nowhere';
    await oidc.start({ jwksUri: `${oidc.issuer.origin}/keys` });
    expect(await oidc.statusOf()).toBe(200);
    expect(oidc.issuer.requests).toEqual(['/keys']);
  });

  it('says at the first token what keeps MCP clients from logging in', async () => {
    const warned = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    oidc.issuer.metadata = { issuer: oidc.issuer.url, jwks_uri: `${oidc.issuer.origin}/keys` };
    await oidc.start();
    expect(await oidc.statusOf()).toBe(200);
    const warnings = warned.mock.calls.map(([text]) => String(text));
    expect(warnings.filter((text) => !text.startsWith('The metadata of the endpoint'))).toEqual([
      expect.stringContaining('does not contain S256 (PKCE)'),
      expect.stringContaining('neither Client ID Metadata Documents nor dynamic registration'),
    ]);
  });
});
