import type { AddressInfo } from 'node:net';
import { Logger, type INestApplication } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { IntrospectionRegistry } from '@fledge/core';
import { GraphqlSubscriptionsAdapter } from '@fledge/graphql';
import { type Client, createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { until } from '../../../test/support/until.js';
import { createApp } from '../src/create-app.js';
import { TokensService } from '../src/users/tokens.service.js';

interface Answer {
  readonly data: Record<string, Record<string, unknown>> | null;
  readonly errors?: readonly { message: string; extensions: { code: string } }[];
}

const ADA = 'Bearer demo-token-ada';
const HEDY = 'Bearer demo-token-hedy';

beforeAll(() => Logger.overrideLogger(false));

describe.each(['express', 'fastify'] as const)('the task API over GraphQL on %s', (platform) => {
  let app: INestApplication;
  let origin: string;
  const clients: Client[] = [];

  beforeAll(async () => {
    process.env['TASKS_DATA'] = 'memory://';
    app = await createApp(platform);
    const server = await app.listen(0);
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    for (const client of clients) await client.dispose();
    await app.close();
  });

  async function ask(
    query: string,
    variables: object = {},
    authorization: string | undefined = ADA,
  ): Promise<Answer> {
    const response = await fetch(`${origin}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
      body: JSON.stringify({ query, variables }),
    });
    return (await response.json()) as Answer;
  }

  const codesOf = ({ errors }: Answer) => errors?.map(({ extensions }) => extensions.code);

  const subscriptions = (): number =>
    app.get(GraphqlSubscriptionsAdapter, { strict: false }).introspect().metrics['subscriptions'];

  /** What a subscriber hears, from the moment it is subscribed. */
  async function subscriber(connectionParams: Record<string, unknown>) {
    const client = createClient({
      url: `${origin.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams,
      retryAttempts: 0,
    });
    clients.push(client);
    const query = 'subscription { taskChanged { kind id task { title createdBy } } }';
    const events = client.iterate<{ taskChanged: { id: number } }>({ query });
    const before = subscriptions();
    const first = events.next();
    // The server sends nothing when a subscription begins, so the test reads the server's counter.
    let refused = false;
    first.catch(() => (refused = true));
    await until(() => refused || subscriptions() !== before, 'the subscription');
    return { events, first };
  }

  it('creates, changes, completes and deletes a task', async () => {
    const created = await ask(
      'mutation ($input: CreateTask!) { createTask(input: $input) { id title status createdAt assignee { email } } }',
      { input: { title: 'Translate the invoices', assignee: 'alan' } },
    );
    expect(created).toEqual({
      data: {
        createTask: {
          id: expect.any(Number),
          title: 'Translate the invoices',
          status: 'open',
          createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
          assignee: { email: 'alan@example.com' },
        },
      },
    });
    const { id } = created.data!['createTask']!;
    const complete = 'mutation ($id: Int!) { completeTask(id: $id) { status completedAt } }';
    expect((await ask(complete, { id })).data).toEqual({
      completeTask: { status: 'done', completedAt: expect.any(String) },
    });
    const list =
      'query ($filter: [String!]) { tasks(filter: $filter, limit: 5, page: 1) { data { id } meta { total hasNext } } }';
    expect(
      (
        await ask(list, {
          filter: ['assignee:eq:alan', 'status:eq:done', 'createdAt:gte:2000-01-01'],
        })
      ).data,
    ).toMatchObject({ tasks: { data: expect.arrayContaining([{ id }]) } });
    expect((await ask('mutation ($id: Int!) { deleteTask(id: $id) }', { id })).data).toEqual({
      deleteTask: true,
    });
    expect(codesOf(await ask('query ($id: Int!) { task(id: $id) { id } }', { id }))).toEqual([
      'NOT_FOUND',
    ]);
  });

  it.each([
    ['mutation { createTask(input: { title: "" }) { id } }', 'BAD_REQUEST'],
    ['mutation { createTask(input: { title: "a", assignee: "hedy" }) { id } }', 'BAD_REQUEST'],
    ['{ tasks(filter: ["secret:eq:1"]) { data { id } } }', 'QUERY_INVALID'],
    ['{ tasks(filter: ["status:eq:closed"]) { data { id } } }', 'QUERY_INVALID'],
    ['{ nothing }', 'GRAPHQL_VALIDATION_FAILED'],
    ['{ task(id: 99999999) { id } }', 'NOT_FOUND'],
  ])('refuses %s with %s, and without a stack', async (query, code) => {
    const answer = await ask(query);
    expect(codesOf(answer)).toEqual([code]);
    expect(JSON.stringify(answer)).not.toMatch(/stack|\.js:/);
  });

  it('masks internal errors', async () => {
    const tokens = app.get(TokensService, { strict: false });
    const { owner } = tokens;
    tokens.owner = () => Promise.reject(new Error('connection to 10.0.0.7 refused'));
    process.env['NODE_ENV'] = 'production';
    try {
      const { errors } = await ask('{ tasks { meta { total } } }');
      expect(errors).toEqual([
        expect.objectContaining({
          message: 'Internal server error',
          extensions: { code: 'INTERNAL_SERVER_ERROR' },
        }),
      ]);
    } finally {
      tokens.owner = owner;
      process.env['NODE_ENV'] = 'test';
    }
  });

  it('refuses operations without a token', async () => {
    const answer = await ask('{ tasks { meta { total } } }', {}, 'Bearer nobody');
    expect(codesOf(answer)).toEqual(['UNAUTHENTICATED']);
    expect(codesOf(await ask('{ tasks { meta { total } } }', {}, ''))).toEqual(['UNAUTHENTICATED']);
  });

  it('shows each company its own tasks', async () => {
    const query = '{ tasks(limit: 100) { data { createdBy } meta { total } } }';
    const ofHedy = (await ask(query, {}, HEDY)).data!['tasks'] as { data: { createdBy: string }[] };
    expect(new Set(ofHedy.data.map(({ createdBy }) => createdBy))).toEqual(new Set(['hedy']));
    expect(ofHedy).toMatchObject({ meta: { total: 4 } });
  });

  it('sends a subscriber the changes of its own company only', async () => {
    const ada = await subscriber({ authorization: ADA });
    const hedy = await subscriber({ authorization: HEDY });
    const create = async (title: string, authorization: string) => {
      const mutation = 'mutation ($title: String!) { createTask(input: { title: $title }) { id } }';
      return (await ask(mutation, { title }, authorization)).data!['createTask']!['id'];
    };
    // A change over REST reaches subscribers of the same company.
    const response = await fetch(`${origin}/tasks`, {
      method: 'POST',
      headers: { authorization: ADA, 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'Of Acme' }),
    });
    const mine = ((await response.json()) as { id: number }).id;
    const theirs = await create('Of Globex', HEDY);

    expect((await ada.first).value).toEqual({
      data: {
        taskChanged: { kind: 'created', id: mine, task: { title: 'Of Acme', createdBy: 'ada' } },
      },
    });
    expect((await hedy.first).value).toEqual({
      data: {
        taskChanged: {
          kind: 'created',
          id: theirs,
          task: { title: 'Of Globex', createdBy: 'hedy' },
        },
      },
    });
    const next = ada.events.next();
    await ask('mutation ($id: Int!) { deleteTask(id: $id) }', { id: theirs }, HEDY);
    await ask('mutation ($id: Int!) { deleteTask(id: $id) }', { id: mine }, ADA);
    expect((await next).value).toEqual({
      data: { taskChanged: { kind: 'deleted', id: mine, task: null } },
    });
  });

  it('refuses a subscriber without a token', async () => {
    const { first } = await subscriber({});
    const told = await first.then(
      ({ value }) => JSON.stringify(value),
      (error: unknown) => JSON.stringify(error),
    );
    expect(told).toContain('Send an API token');
  });

  it('counts its operations', async () => {
    const { adapters } = await app.get(IntrospectionRegistry, { strict: false }).collect();
    const snapshot = adapters.find(({ name }) => name === 'GraphqlAdapter');
    expect(snapshot).toEqual({
      protocolVersion: 1,
      name: 'GraphqlAdapter',
      kind: 'adapter',
      state: { path: '/graphql' },
      metrics: {
        queries: expect.any(Number),
        mutations: expect.any(Number),
        errors: expect.any(Number),
      },
    });
    expect(snapshot?.metrics['mutations']).toBeGreaterThanOrEqual(6);
  });
});
