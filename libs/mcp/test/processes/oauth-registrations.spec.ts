import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { closeAll, platforms } from '../../../../test/support/platforms.js';
import { freePort } from '../../../../test/support/processes.js';
import { HandClient, startBridge } from '../oidc/bridge.js';

const [express] = platforms as [(typeof platforms)[number]];

beforeEach(() => {
  // The bridge warns about its store in memory.
  jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
});
afterEach(async () => {
  await closeAll();
  jest.restoreAllMocks();
});

describe('a registration', () => {
  let client: HandClient;

  beforeEach(async () => {
    const port = await freePort();
    await startBridge(express, port, 'https://hub.example');
    client = new HandClient(`http://127.0.0.1:${port}/oauth`);
  });

  it('does not limit the scopes of logins', async () => {
    const registered = await client.register({ scope: 'openid profile' });
    expect(registered.status).toBe(201);
    const { client_id, scope } = (await registered.json()) as Record<string, string>;
    expect(scope).toBeUndefined();

    client.id = client_id as string;
    const scopes = 'tasks.read offline_access profile';
    const url = await client.authorization({ scope: scopes, prompt: 'consent' });
    const response = await fetch(url, { redirect: 'manual' });
    expect(response.headers.get('location')).toBe('/oauth/interaction');
  });

  it('may list grant types that the bridge does not support', async () => {
    const grant_types = [
      'authorization_code',
      'refresh_token',
      'urn:ietf:params:oauth:grant-type:jwt-bearer',
    ];
    const registered = await client.register({ grant_types });
    expect(registered.status).toBe(201);
    expect(await registered.json()).toMatchObject({
      grant_types: ['authorization_code', 'refresh_token'],
    });
    expect((await client.register({ grant_types: ['password'] })).status).toBe(400);
  });

  it('may redirect to loopback as a web client', async () => {
    const redirect_uris = ['http://localhost:1234/callback', 'https://client.example/callback'];
    const registered = await client.register({ application_type: 'web', redirect_uris });
    expect(registered.status).toBe(201);
    expect(await registered.json()).toMatchObject({ application_type: 'native', redirect_uris });
  });

  it.each([
    { redirect_uris: null },
    { redirect_uris: 5 },
    { redirect_uris: [5] },
    { grant_types: 5 },
  ])('is rejected if it has values of a wrong type: %j', async (metadata) => {
    expect((await client.register(metadata)).status).toBe(400);
  });

  it('is told why a redirect is rejected', async () => {
    const rejected = await client.register({ redirect_uris: ['http://192.168.0.2/callback'] });
    expect(await rejected.json()).toEqual({
      error: 'invalid_redirect_uri',
      error_description: 'redirect_uris must use https, except on loopback',
    });
  });
});
