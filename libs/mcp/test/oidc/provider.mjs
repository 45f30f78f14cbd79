// A real authorization server with pages to log in, as a process of its own.
// PORT: where it listens. KEYS: its private keys, as JSON Web Key Set. REDIRECT: the redirect of its one client, in
// place of dynamic registration.
import Provider from 'oidc-provider';

const { PORT = '0', KEYS = '{"keys":[]}', REDIRECT } = process.env;
const machine = (client_id) => ({
  client_id,
  client_secret: 'machine-secret',
  grant_types: ['client_credentials'],
  redirect_uris: [],
  response_types: [],
});
const registered = {
  client_id: 'bridge',
  client_secret: 'bridge-secret',
  grant_types: ['authorization_code', 'refresh_token'],
  redirect_uris: [REDIRECT],
};

const provider = new Provider(`http://127.0.0.1:${PORT}`, {
  jwks: JSON.parse(KEYS),
  clients: REDIRECT ? [registered] : [machine('robot'), machine('brief')],
  // Clients register with the scopes that the metadata of the endpoint lists.
  scopes: ['openid', 'offline_access', 'tasks.read', 'tasks.export'],
  cookies: { keys: ['only for tests'] },
  findAccount: (_ctx, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  features: {
    registration: { enabled: !REDIRECT },
    clientCredentials: { enabled: true },
    resourceIndicators: {
      enabled: true,
      useGrantedResource: () => true,
      getResourceServerInfo: (_ctx, resource, client) => ({
        audience: resource,
        scope: 'tasks.read tasks.export',
        accessTokenFormat: 'jwt',
        accessTokenTTL: client.clientId === 'brief' ? 1 : 300,
        jwt: { sign: { alg: 'RS256' } },
      }),
    },
  },
});
provider.listen(Number(PORT), '127.0.0.1', () => console.log(`listening on ${PORT}`));
