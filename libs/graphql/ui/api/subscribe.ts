import { createClient as createEventStreams, NetworkError } from 'graphql-sse';
import { createClient as createSockets } from 'graphql-ws';
import { endpointUrl, socketUrl } from './endpoint.js';
import { type Headers, type Listener, type Operation, reasonOf } from './operation.js';

/**
 * Starts a subscription over a WebSocket, or as an event stream if the endpoint has no WebSocket.
 * Returns a function that ends the subscription.
 */
export function subscribe(operation: Operation, headers: Headers, listener: Listener): () => void {
  return socketUrl === undefined
    ? overEventStream(operation, headers, listener)
    : overSocket(socketUrl, operation, headers, listener);
}

function overSocket(
  url: string,
  operation: Operation,
  headers: Headers,
  listener: Listener,
): () => void {
  const client = createSockets({ url, connectionParams: { ...headers }, retryAttempts: 0 });
  const stop = client.subscribe(operation, {
    next: (result) => listener.next(result),
    complete: () => listener.complete(),
    error: (error) => {
      if (Array.isArray(error)) listener.next({ errors: error });
      listener.fail(Array.isArray(error) ? 'The server refused the subscription.' : closed(error));
    },
  });
  return () => {
    stop();
    void client.dispose();
  };
}

/**
 * Returns a message for a failed WebSocket. graphql-ws reports a closed socket with its close
 * event.
 */
function closed(error: unknown): string {
  if (error instanceof CloseEvent) {
    return `The socket was closed: ${error.code}${error.reason === '' ? '' : ` ${error.reason}`}`;
  }
  return error instanceof Event ? 'The socket could not be opened.' : reasonOf(error);
}

function overEventStream(operation: Operation, headers: Headers, listener: Listener): () => void {
  const client = createEventStreams({
    url: endpointUrl,
    headers: { ...headers },
    retryAttempts: 0,
  });
  const stop = client.subscribe(operation, {
    next: (result) => listener.next(result),
    complete: () => listener.complete(),
    error: (error) => void refused(error, listener),
  });
  return () => {
    stop();
    client.dispose();
  };
}

/** Reads why a server rejected a subscription from the body of the response. */
async function refused(error: unknown, listener: Listener): Promise<void> {
  const response: unknown = error instanceof NetworkError ? error.response : undefined;
  const text = response instanceof Response && !response.bodyUsed ? await response.text() : '';
  if (text !== '') listener.next(parsed(text));
  const refusal =
    response instanceof Response && response.status === NOT_ACCEPTABLE
      ? `The endpoint serves no event streams (${NOT_ACCEPTABLE}). To serve subscriptions over WebSocket, set its option subscriptions.`
      : reasonOf(error);
  listener.fail(refusal);
}

/** The HTTP status of a server that does not support event streams. */
const NOT_ACCEPTABLE = 406;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
