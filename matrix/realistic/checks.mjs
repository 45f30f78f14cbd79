// What the realistic application is asked by two users of two tenants at the same time: each way must answer alike.
import assert from 'node:assert/strict';
import { END_SECONDS } from '../serve.mjs';
import { withEve, withUsers } from './clients.mjs';
import { closesWithStreams, eventsOfTenants } from './streams.mjs';

const ROUNDS = 12;
const TASK = '{ id tenant title priority }';

export const CHECKS = [
  {
    name: 'tools',
    check: (url) =>
      withUsers(url, async ([{ clients }]) => {
        for (const client of Object.values(clients)) {
          const { tools } = await client.listTools();
          assert.deepEqual(tools.map(({ name }) => name).sort(), TOOLS);
        }
      }),
  },
  {
    name: 'reads',
    check: (url) => withUsers(url, (users) => inRounds(users, readsAlike)),
  },
  {
    name: 'writes',
    check: (url) => withUsers(url, (users) => inRounds(users, writesAlike)),
  },
  {
    name: 'user without tenants',
    check: (url) => withEve(url, refusesEve),
  },
  {
    name: 'tenant of another user',
    check: (url) =>
      withUsers(url, async ([ada]) => {
        const headers = { ...ada.headers, 'x-tenant-id': 'globex' };
        assert.equal((await ada.ask('/api/v1/tasks', { headers })).status, 403);
      }),
  },
  {
    name: 'events',
    check: (url) => withUsers(url, (users) => eventsOfTenants(url, users)),
  },
  { name: 'close with open streams', check: closesWithStreams, seconds: END_SECONDS },
];

const TOOLS = ['add', 'change', 'find', 'findWithOwner', 'list', 'rename', 'whoami'].map(
  (name) => `TasksController.${name}`,
);

/** All rounds of all users at once. */
const inRounds = (users, work) =>
  Promise.all(
    Array.from({ length: ROUNDS }, (_, round) => users.map((user) => work(user, round))).flat(),
  );

async function readsAlike(user) {
  const { tenant, name } = user;
  const [whoami, list, graphql, me] = await Promise.all([
    askAlike(user, '/api/v1/tasks/whoami', 'whoami'),
    askAlike(user, '/api/v1/tasks?filter=priority:lte:3&sort=title:desc&limit=2', 'list', {
      filter: ['priority:lte:3'],
      sort: ['title:desc'],
      limit: 2,
    }),
    user.graphql(`{ tasks ${TASK} }`),
    user.graphql('{ me }'),
  ]);
  assert.deepEqual(whoami, { user: name, tenant });
  assert.deepEqual(
    list.data.map((task) => [task.tenant, task.title]),
    [
      [tenant, 'Write the offer'],
      [tenant, 'Water the garden'],
    ],
  );
  assert.equal(list.meta.total, 3);
  assert.deepEqual(me, { data: { me: name } });
  assert.deepEqual(
    graphql.data.tasks.map((task) => task.tenant),
    [tenant, tenant, tenant],
  );
  const { id, title } = list.data[0];
  const [first, second] = await Promise.all([
    askAlike(user, `/api/v1/tasks/${id}`, 'find', { id }),
    askAlike(user, `/api/v2/tasks/${id}`, 'findWithOwner', { id }),
  ]);
  assert.deepEqual([first.tenant, first.title], [tenant, title]);
  assert.deepEqual(second, { data: first, owner: name });
  const { attachment, ...fields } = first;
  assert.equal(attachment, null);
  const { data } = await user.graphql(`query ($id: ID!) { task(id: $id) ${TASK} }`, { id });
  assert.deepEqual(data.task, fields);
}

async function writesAlike(user, round) {
  const { tenant, clients } = user;
  const attachment =
    round % 2 === 0
      ? { kind: 'link', url: 'https://example.com' }
      : { kind: 'reminder', at: '2026-01-31T00:00:00.000Z' };
  const task = { title: `Added in round ${round}`, priority: 4, attachment };
  const added = [
    (await user.ask('/api/v1/tasks', { method: 'POST', json: task })).body,
    textOf(await call(clients.v1, 'add', task)),
    textOf(await call(clients.v2, 'add', task)),
  ];
  for (const each of added) assert.deepEqual({ ...each, id: 0 }, { id: 0, tenant, ...task });
  const [{ id }] = added;
  const changed = await askAlike(
    user,
    `/api/v1/tasks/${id}`,
    'change',
    { id, priority: 5 },
    'PATCH',
  );
  assert.deepEqual(changed, { id, tenant, ...task, priority: 5 });
  const renamed = await askAlike(
    user,
    `/api/v1/tasks/${id}/title`,
    'rename',
    { id, title: 'New' },
    'PUT',
  );
  assert.deepEqual(renamed, { ...changed, title: 'New' });
  const input = { title: task.title, priority: 4 };
  const { data } = await user.graphql(
    `mutation ($input: CreateTaskInput!) { addTask(input: $input) ${TASK} }`,
    { input },
  );
  assert.deepEqual({ ...data.addTask, id: 0 }, { id: 0, tenant, ...input });
  // Wrong input reaches no handler, whoever sends it.
  const wrong = { ...task, attachment: { ...attachment, kind: 'file' } };
  assert.equal((await user.ask('/api/v1/tasks', { method: 'POST', json: wrong })).status, 400);
  for (const client of Object.values(clients))
    assert.equal(await isRefused(call(client, 'add', wrong)), true);
}

/** Asks the route and the tool by both clients, at the same time. Returns the answer, which must be the same. */
async function askAlike(user, path, tool, args = {}, method = 'GET') {
  const json = { ...args, id: undefined };
  const [direct, ...called] = await Promise.all([
    user.ask(path, { method, ...(method !== 'GET' && { json }) }),
    ...Object.values(user.clients).map((client) => call(client, tool, args)),
  ]);
  assert.equal(direct.status, 200, JSON.stringify(direct.body));
  for (const result of called) assert.deepEqual(textOf(result), direct.body);
  return direct.body;
}

async function refusesEve(eve) {
  const direct = await eve.ask('/api/v1/tasks');
  assert.equal(direct.status, 403);
  for (const client of Object.values(eve.clients)) {
    const { isError, structuredContent } = await call(client, 'list');
    assert.deepEqual([isError, structuredContent?.error.status], [true, 403]);
  }
  const { errors } = await eve.graphql('{ tasks { id } }');
  assert.equal(errors?.[0].extensions.code, 'FORBIDDEN');
}

const call = (client, tool, args = {}) =>
  client.callTool({ name: `TasksController.${tool}`, arguments: args });
const textOf = ({ content }) => JSON.parse(content[0].text);

/** Arguments that do not fit are an error of the tool or of the protocol, depending on the revision. */
const isRefused = (called) =>
  called.then(
    ({ isError }) => isError === true,
    ({ code }) => code === -32602,
  );
