import type { Server } from 'graphql-ws';
import type { Duplex } from 'node:stream';
import type { WebSocket, WebSocketServer } from 'ws';
import { untilClosed } from '../live/close-connections.js';
import { logError } from '../operation/failure-log.js';
import type { SocketConnection } from './socket-connection.js';

/** Maximum unsent bytes. If there are more, the server stops reading from the client. */
const MAX_BUFFERED = 1_048_576;

/**
 * Serves the protocol (graphql-transport-ws, PROTOCOL.md of graphql-ws) on a socket. This function
 * replaces `useServer` of graphql-ws. `useServer` writes the mistakes of clients to the console,
 * and sends errors of the application as the close reason.
 */
export function serveSocket(
  socket: WebSocket,
  transport: Duplex,
  protocol: Server<SocketConnection>,
  connection: SocketConnection,
): void {
  // ws has already closed the socket with 1002, 1007 or 1009, because of an invalid frame.
  socket.on('error', () => undefined);
  const pauseIfFull = pauser(socket, transport);
  socket.on('ping', pauseIfFull);

  const closed = protocol.opened(
    {
      protocol: socket.protocol,
      send: sender(socket, connection),
      close: (code, reason) => socket.close(code, reason),
      onMessage: (handle) => {
        const operations = new OperationIds(handle);
        socket.on('message', (data) => {
          pauseIfFull();
          // `data` is a Buffer, because `binaryType` has its default value.
          const text = (data as Buffer).toString();
          operations.take(text).catch((error: unknown) => closeAfter(error, socket, text));
        });
      },
    },
    connection,
  );

  socket.once('close', (code, reason) => {
    connection.close();
    closed(code, reason.toString()).catch(logError);
  });
}

/**
 * Returns a function that stops reading from a client if the client does not read its results.
 * Reading continues when the buffer is empty.
 */
function pauser(socket: WebSocket, transport: Duplex): () => void {
  const resume = () => socket.resume();
  return () => {
    if (socket.bufferedAmount <= MAX_BUFFERED || socket.isPaused) return;
    socket.pause();
    transport.once('drain', resume);
  };
}

function closeAfter(error: unknown, socket: WebSocket, text: string): void {
  if (isServerMessage(text)) return socket.close(4400, 'Invalid message received');
  logError(error);
  socket.close(4500, 'Internal server error');
}

/** Maximum number of messages of a socket that are handled in one turn of the event loop. */
const MESSAGES_PER_TURN = 64;

/**
 * Returns a function that sends a message and resolves when the message is written. So a slow
 * client delays only the events of its own operations. If the client has disconnected, the function
 * ends the client's operations.
 */
function sender(socket: WebSocket, connection: SocketConnection): (text: string) => Promise<void> {
  let sent = 0;
  return (text) =>
    new Promise((resolve) => {
      // The operations must end here. If a source never waits, it blocks the event loop. The
      // socket's event 'close' would then not arrive.
      const endOperations = () => {
        connection.close();
        resolve();
      };
      if (socket.readyState !== socket.OPEN) return endOperations();
      socket.send(text, (error) => {
        if (error) return endOperations();
        sent += 1;
        if (sent % MESSAGES_PER_TURN === 0) setImmediate(resolve);
        else resolve();
      });
    });
}

/** Handles a message. Resolves when its operation has ended. */
type Handle = (text: string) => Promise<void>;

interface Running {
  /** True if the client has completed the operation. */
  completed: boolean;
  /** A waiting `subscribe` message with the same id. */
  next: string | undefined;
}

/**
 * Lets clients reuse the id of an operation immediately after they complete the operation
 * (PROTOCOL.md of graphql-ws, Subscribe). graphql-ws frees an id only when the operation has fully
 * ended. Until then, graphql-ws drops a new operation with the same id without a message.
 */
export class OperationIds {
  private readonly running = new Map<string, Running>();

  constructor(private readonly handle: Handle) {}

  /** Passes a message to `handle` when its id is free. Rejects if `handle` rejects. */
  async take(text: string): Promise<void> {
    const { type, id = '' } = peek(text);
    const running = this.running.get(id);
    if (type === 'complete' && running) {
      running.completed = true;
      // The client completes an operation that has not begun. The `subscribe` message of this
      // operation is dropped.
      if (running.next !== undefined) return void (running.next = undefined);
    }
    if (type !== 'subscribe') return this.handle(text);
    if (running === undefined) return this.run(id, text);
    if (!running.completed) return this.handle(text);
    running.next = text;
  }

  private async run(id: string, text: string): Promise<void> {
    const running: Running = { completed: false, next: undefined };
    this.running.set(id, running);
    await this.handle(text).finally(() => this.running.delete(id));
    if (running.next !== undefined) await this.run(id, running.next);
  }
}

/** Reads the type and the id of a message. Returns an empty object if the text is not a message. */
export function peek(text: string): { readonly type?: unknown; readonly id?: string } {
  try {
    const message = JSON.parse(text) as { type?: unknown; id?: string } | null;
    return message ?? {};
  } catch {
    return {};
  }
}

/** Returns true for a valid message that only servers may send. */
function isServerMessage(text: string): boolean {
  const { type } = peek(text);
  return type === 'next' || type === 'error' || type === 'connection_ack';
}

/**
 * Milliseconds between two pings. If a socket does not answer a ping, it is closed at the time of
 * the next ping.
 */
const HEARTBEAT_MS = 12_000;

/**
 * Pings sockets regularly and terminates each socket that does not answer. Returns a function that
 * stops the pings.
 */
export function closeSilentSockets({ clients }: WebSocketServer): () => void {
  const silent = new WeakSet<WebSocket>();
  const beat = setInterval(() => {
    for (const client of clients) {
      if (silent.has(client)) client.terminate();
      else if (client.readyState === client.OPEN) {
        silent.add(client);
        client.once('pong', () => silent.delete(client));
        client.ping();
      }
    }
  }, HEARTBEAT_MS);
  // If the startup fails later, the application is not closed, and this timer must not keep the
  // process alive.
  beat.unref();
  return () => clearInterval(beat);
}

/**
 * Closes all sockets with 1001 (RFC 6455 §7.4.1, going away). Waits until the clients respond.
 * Terminates a socket if its client does not respond within the grace period.
 */
export async function closeSockets(
  { clients }: WebSocketServer,
  gracePeriodMs: number,
): Promise<void> {
  const closing = [...clients];
  for (const client of closing) client.close(1001, 'Going away');
  await untilClosed(closing, gracePeriodMs, (client) => client.terminate());
}
