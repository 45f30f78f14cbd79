// What every application is asked, over HTTP and WebSocket, by the clients that users have.
import assert from 'node:assert/strict';
import * as v2 from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';

const ACME = { 'x-tenant-id': 'acme' };
const WRITER = { ...ACME, authorization: 'Bearer writer' };

/** The list: each has a name, and throws where what it finds is not what it expects. */
export const CHECKS = [
  {
    name: 'tenant',
    async check(url) {
      const acme = await ask(url, '/tasks?sort=id:asc', { headers: ACME });
      assert.deepEqual(idsOf(acme), [1, 2, 3]);
      const globex = await ask(url, '/tasks', { headers: { 'x-tenant-id': 'globex' } });
      assert.deepEqual(idsOf(globex), [4]);
      const none = await ask(url, '/tasks');
      assert.deepEqual([none.status, none.body.code], [400, 'TENANT_NOT_RESOLVED']);
    },
  },
  {
    name: 'query',
    async check(url) {
      const query = 'filter=priority:gte:2&filter=secret:eq:1&sort=priority:desc&limit=1';
      const { body } = await ask(url, `/tasks?${query}`, { headers: ACME });
      assert.deepEqual(body, {
        data: [{ id: 2, tenant: 'acme', title: 'Try a filter', priority: 3 }],
        meta: { page: 1, limit: 1, total: 2, totalPages: 2, hasNext: true, hasPrev: false },
      });
      const searched = await ask(url, '/tasks?q=read&limit=999', { headers: ACME });
      assert.deepEqual([idsOf(searched), searched.body.meta.limit], [[1], 50]);
      const wrong = await ask(url, '/tasks?filter=priority:gte:many', { headers: ACME });
      assert.deepEqual([wrong.status, wrong.body.errors?.[0].field], [400, 'priority']);
    },
  },
  {
    name: 'dto',
    async check(url) {
      const added = await post(url, { title: 'Deploy', priority: 2, due: '2026-01-31' });
      assert.equal(added.status, 201);
      assert.deepEqual([added.body.isDto, added.body.isDate], [true, true]);
      const wrong = await post(url, { title: 'no', priority: 0 });
      assert.equal(wrong.status, 400);
      assert.equal(wrong.body.message.length, 2);
    },
  },
  {
    name: 'guard',
    async check(url) {
      assert.equal((await post(url, { title: 'Deploy', priority: 2 }, ACME)).status, 403);
    },
  },
  {
    name: 'filter',
    async check(url) {
      const found = await ask(url, '/tasks/1', { headers: ACME });
      assert.equal(found.body.title, 'Read the README');
      const missing = await ask(url, '/tasks/4', { headers: ACME });
      assert.deepEqual([missing.status, missing.body.code], [404, 'TASK_MISSING']);
    },
  },
  {
    name: 'context',
    async check(url) {
      const { body } = await ask(url, '/tasks/reader', { headers: WRITER });
      assert.deepEqual(body, { name: 'writer', tenant: 'acme' });
    },
  },
  {
    name: 'graphql',
    async check(url) {
      const { body } = await ask(url, '/graphql', {
        method: 'POST',
        headers: { ...WRITER, 'content-type': 'application/json' },
        body: JSON.stringify({ query: '{ reader tasks { id } }' }),
      });
      assert.equal(body.errors, undefined);
      assert.equal(body.data.reader, 'writer');
      assert.deepEqual(
        body.data.tasks.slice(0, 3).map(({ id }) => id),
        [1, 2, 3],
      );
    },
  },
  { name: 'subscription', check: subscriptionOfTenant },
  {
    name: 'MCP client v1',
    async check(url) {
      const client = new ClientV1({ name: 'matrix', version: '1.0.0' });
      const transport = new StreamableHTTPClientTransport(new URL('/_mcp/messages', url), {
        requestInit: { headers: WRITER },
      });
      await client.connect(transport);
      await toolCalls(client);
      await transport.terminateSession();
      await client.close();
    },
  },
  {
    name: 'MCP client v2',
    async check(url) {
      const client = new v2.Client(
        { name: 'matrix', version: '1.0.0' },
        { versionNegotiation: { mode: 'auto' } },
      );
      const transport = new v2.StreamableHTTPClientTransport(new URL('/_mcp/messages', url), {
        requestInit: { headers: WRITER },
      });
      await client.connect(transport);
      await toolCalls(client);
      await client.close();
    },
  },
];

async function toolCalls(client) {
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map(({ name }) => name).sort(), [
    'reader',
    'tasks_add',
    'tasks_find',
    'tasks_list',
  ]);
  const call = (name, args = {}) => client.callTool({ name, arguments: args });
  assert.deepEqual(textOf(await call('reader')), { name: 'writer', tenant: 'acme' });
  const listed = textOf(await call('tasks_list', { filter: ['id:lte:2'], sort: ['id:desc'] }));
  assert.deepEqual(
    listed.data.map(({ id }) => id),
    [2, 1],
  );
  const added = textOf(await call('tasks_add', { title: 'By an agent', priority: 1 }));
  assert.deepEqual([added.tenant, added.isDto], ['acme', true]);
  const missing = await call('tasks_find', { id: 4 });
  assert.equal(missing.isError, true);
  assert.equal(textOf(missing).code, 'TASK_MISSING');
}

async function subscriptionOfTenant(url) {
  const client = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: ACME,
    retryAttempts: 0,
  });
  const events = client.iterate({ query: 'subscription { added { title } }' });
  const first = events.next();
  first.catch(() => {});
  try {
    // A subscription has no answer that says it has begun: add until the first event comes.
    const title = await Promise.race([first.then(titleOf), addUntil(first, url)]);
    assert.equal(title, 'For acme');
  } finally {
    await client.dispose();
  }
}

async function addUntil(promise, url) {
  let seen = false;
  const done = () => (seen = true);
  promise.then(done, done);
  while (!seen) {
    const globex = { ...WRITER, 'x-tenant-id': 'globex' };
    await post(url, { title: 'For globex', priority: 1 }, globex);
    await post(url, { title: 'For acme', priority: 1 });
  }
  return promise.then(titleOf);
}

const titleOf = ({ value }) => value.data?.added.title ?? value;

async function ask(url, path, init) {
  const response = await fetch(new URL(path, url), init);
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

const post = (url, body, headers = WRITER) =>
  ask(url, '/tasks', {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const idsOf = ({ body }) => body.data?.map(({ id }) => id) ?? body;
const textOf = ({ content }) => JSON.parse(content[0].text);
