// Traces a query, and a subscription with one event over a WebSocket and as an event stream.
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { send } from './send.mjs';

export const packages = ['graphql', 'core'];

const QUERY = '{ note(id: 1) { id } }';
const SUBSCRIPTION = 'subscription { notes { id } }';

/** Returns the calls to trace by name, and a function that closes their clients. */
export function open(base) {
  const url = `${base}/graphql`;
  const client = createClient({
    url: url.replace('http', 'ws'),
    webSocketImpl: WebSocket,
    lazy: false,
  });
  const calls = {
    query: () => send(url, { query: QUERY }, { accept: 'application/json' }),
    socket: () => subscribe(client),
    'event stream': () => send(url, { query: SUBSCRIPTION }, { accept: 'text/event-stream' }),
  };
  return { calls, close: () => client.dispose() };
}

/** Resolves when the server has ended the subscription. */
function subscribe(client) {
  return new Promise((resolve, reject) => {
    const next = ({ errors }) => void (errors && reject(new Error(JSON.stringify(errors))));
    client.subscribe({ query: SUBSCRIPTION }, { next, error: reject, complete: resolve });
  });
}
