// The streams of the application: events of the tenant of each user, and the end of the process while they are open.
import assert from 'node:assert/strict';
import { end } from '../child.mjs';
import { connect, listen, subscribe } from './clients.mjs';

/** Over WebSocket and as server-sent events, each user gets the events of their tenant. */
export async function eventsOfTenants(url, users) {
  const streams = users.map((user) => ({ user, socket: subscribe(url, user) }));
  try {
    for (const stream of streams) stream.sse = await listen(url, stream.user);
    const firsts = streams.flatMap(({ user, socket, sse }) =>
      [socket, sse].map(async (stream) => assert.equal((await stream.next())?.tenant, user.tenant)),
    );
    await addUntil(Promise.all(firsts), users);
    const seconds = streams.flatMap(({ user, socket, sse }) =>
      [socket, sse].map(async (stream) => assert.equal((await stream.next())?.tenant, user.tenant)),
    );
    await addUntil(Promise.all(seconds), users);
  } finally {
    for (const { socket, sse } of streams) {
      sse?.end();
      await socket.end();
    }
  }
}

/** A subscription has no answer that says it has begun: all users add until all have their events. */
async function addUntil(promise, users) {
  let seen = false;
  const done = () => (seen = true);
  promise.then(done, done);
  while (!seen) {
    const json = { title: 'An event', priority: 1 };
    await Promise.all(users.map((user) => user.ask('/api/v1/tasks', { method: 'POST', json })));
  }
  return promise;
}

/** The stream of a session, a subscription and server-sent events are open. */
export async function closesWithStreams(url, { child, ended }) {
  const ada = await connect(url, { name: 'ada', tenant: 'acme', bearer: true });
  const socket = subscribe(url, ada);
  const sse = await listen(url, ada);
  const first = Promise.all([socket.next(), sse.next()]);
  await addUntil(first, [ada]);
  const rests = [drain(socket), drain(sse)];
  await end(child, 'SIGTERM');
  assert.equal(await ended, 0);
  await Promise.all(rests);
  await Promise.all([ada.clients.v1.close(), ada.clients.v2.close()]);
}

async function drain(stream) {
  try {
    while (await stream.next());
  } catch {
    // How it ended, cleanly or not, differs between transports.
  }
}
