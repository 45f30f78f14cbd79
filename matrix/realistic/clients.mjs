// The users of the application, and every way in which they ask it: directly, by tools, by GraphQL.
import { TextDecoder } from 'node:util';
import * as v2 from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';

/** Ada has a bearer token, Bob and Eve have a cookie. Eve is in no tenant. */
const USERS = [
  { name: 'ada', tenant: 'acme', bearer: true },
  { name: 'bob', tenant: 'globex', bearer: false },
];
const EVE = { name: 'eve', tenant: 'acme', bearer: false };

/** Logs the two users in at the same time, and lets `work` use their clients. */
export async function withUsers(url, work) {
  const users = await Promise.all(USERS.map((user) => connect(url, user)));
  try {
    return await work(users);
  } finally {
    await Promise.all(users.map(({ close }) => close()));
  }
}

export async function withEve(url, work) {
  const eve = await connect(url, EVE);
  try {
    return await work(eve);
  } finally {
    await eve.close();
  }
}

/** `{ name, tenant, headers, clients: { v1, v2 }, ask, graphql, close }` */
export async function connect(url, { name, tenant, bearer }) {
  const headers = { 'x-tenant-id': tenant, ...(await login(url, name, bearer)) };
  const endpoint = new URL('/_mcp/messages', url);
  const about = { name: 'matrix', version: '1.0.0' };
  const options = { requestInit: { headers } };
  const clients = {
    v1: new ClientV1(about),
    v2: new v2.Client(about, { versionNegotiation: { mode: 'auto' } }),
  };
  const transport = new StreamableHTTPClientTransport(endpoint, options);
  await clients.v1.connect(transport);
  await clients.v2.connect(new v2.StreamableHTTPClientTransport(endpoint, options));
  const close = async () => {
    await transport.terminateSession();
    await Promise.all([clients.v1.close(), clients.v2.close()]);
  };
  const asUser = (path, init) => ask(url, path, { headers, ...init });
  return { name, tenant, headers, clients, ask: asUser, graphql: graphqlOf(asUser), close };
}

async function login(url, name, bearer) {
  const { body, cookies } = await ask(url, '/api/v1/auth/login', {
    method: 'POST',
    json: { name },
  });
  return bearer ? { authorization: `Bearer ${body.token}` } : { cookie: cookies.join('; ') };
}

/** `{ status, body, cookies }` */
async function ask(url, path, { method = 'GET', headers = {}, json }) {
  const response = await fetch(new URL(path, url), {
    method,
    headers: { ...headers, ...(json && { 'content-type': 'application/json' }) },
    body: json && JSON.stringify(json),
  });
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
  return { status: response.status, body: await response.json(), cookies };
}

const graphqlOf = (asUser) => async (query, variables) =>
  (await asUser('/api/graphql', { method: 'POST', json: { query, variables } })).body;

/** Tasks that are added, over WebSocket. Who has a bearer token sends it when connecting, as browsers do. */
export function subscribe(url, { headers }) {
  const socket = class extends WebSocket {
    constructor(address, protocols) {
      super(address, protocols, headers.cookie ? { headers } : {});
    }
  };
  const client = createClient({
    url: `${url.replace('http', 'ws')}/api/graphql`,
    webSocketImpl: socket,
    connectionParams: headers.cookie ? {} : headers,
    retryAttempts: 0,
  });
  const events = client.iterate({ query: 'subscription { added { tenant title } }' });
  return {
    next: async () => (await events.next()).value?.data?.added,
    end: () => client.dispose(),
  };
}

/** Tasks that are added, as server-sent events. */
export async function listen(url, { headers }) {
  const stop = new AbortController();
  const { body, status } = await fetch(new URL('/api/v1/tasks/events', url), {
    headers: { ...headers, accept: 'text/event-stream' },
    signal: stop.signal,
  });
  if (status !== 200) throw new Error(`The events were answered with ${status}.`);
  const events = eventsOf(body);
  return { next: async () => (await events.next()).value, end: () => stop.abort() };
}

async function* eventsOf(body) {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    const lines = (text + decoder.decode(chunk, { stream: true })).split('\n');
    text = lines.pop();
    for (const line of lines) {
      if (line.startsWith('data: ')) yield JSON.parse(line.slice('data: '.length));
    }
  }
}
