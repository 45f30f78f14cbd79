import { expect, it } from '@jest/globals';
import { exportJWK, generateKeyPair } from 'jose';
import { clientRulesOf } from './client-rules.js';

it('connects to no address in a client metadata document', async () => {
  const oidc = await import('oidc-provider');
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const id = 'https://client.example.com/metadata';
  const uri = 'https://inside.example.com/';
  const document = {
    client_id: id,
    redirect_uris: ['http://127.0.0.1/callback'],
    token_endpoint_auth_method: 'none',
    client_uri: uri,
    initiate_login_uri: uri,
    jwks_uri: uri,
    logo_uri: uri,
    policy_uri: uri,
    sector_identifier_uri: uri,
    tos_uri: uri,
  };
  const fetched: unknown[] = [];
  const provider = new oidc.Provider('https://api.example.com/oauth', {
    ...clientRulesOf(oidc),
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'ES256', use: 'sig' }] },
    features: {
      devInteractions: { enabled: false },
      clientIdMetadataDocument: { enabled: true, ack: 'draft-02', allowFetch: () => true },
    },
    fetch(url) {
      fetched.push(url);
      return Promise.resolve(Response.json(document));
    },
  });
  expect(await provider.Client.find(id)).toMatchObject({ clientId: id });
  expect(fetched).toEqual([id]);
});
