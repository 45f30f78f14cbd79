import { Logger } from '@nestjs/common';
import type { Server } from 'graphql-ws';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { OperationIds, peek } from './operation-ids.js';
import type { SocketConnection } from './socket.connection.js';

/** Bytes waiting to be sent beyond which nothing more is read from a client. */
const MAX_BUFFERED = 1_048_576;

const logger = new Logger('GraphQL');

/**
 * Lets a socket speak the protocol (graphql-transport-ws, PROTOCOL.md of graphql-ws).
 *
 * Not `useServer` of graphql-ws: that writes what clients do wrong to the console, and sends what the
 * application throws as the close reason.
 */
export function speak(
  socket: WebSocket,
  transport: Duplex,
  protocol: Server<SocketConnection>,
  connection: SocketConnection,
): void {
  // A frame that breaks the rules: ws has closed the socket with 1002, 1007 or 1009 already.
  socket.on('error', () => undefined);

  const readOn = () => socket.resume();
  const relieve = () => {
    // A client that asks without reading the answers would have us keep them all.
    if (socket.bufferedAmount <= MAX_BUFFERED || socket.isPaused) return;
    socket.pause();
    transport.once('drain', readOn);
  };
  socket.on('ping', relieve);

  const closed = protocol.opened(
    {
      protocol: socket.protocol,
      send: sender(socket, connection),
      close: (code, reason) => socket.close(code, reason),
      onMessage: (handle) => {
        const operations = new OperationIds(handle);
        socket.on('message', (data) => {
          relieve();
          // Of Buffers only: `binaryType` is left as it is.
          const text = (data as Buffer).toString();
          operations.take(text).catch((error: unknown) => {
            if (isForServers(text)) return socket.close(4400, 'Invalid message received');
            logger.error(error instanceof Error ? error.stack : error);
            socket.close(4500, 'Internal server error');
          });
        });
      },
    },
    connection,
  );

  socket.once('close', (code, reason) => {
    connection.close();
    closed(code, reason.toString()).catch((error: unknown) => logger.error(error));
  });
}

/** Messages of a socket between two turns of the event loop. */
const MESSAGES_PER_TURN = 64;

/**
 * Sends messages, one promise for each: it resolves when the bytes are out, so that a slow client
 * slows its own events down only. When the client is gone, it ends the client's operations.
 */
function sender(socket: WebSocket, connection: SocketConnection): (text: string) => Promise<void> {
  let sent = 0;
  return (text) =>
    new Promise((resolve) => {
      // A source that never waits would spin for ever: the event that the socket closed comes by the
      // event loop, which such a source does not let run.
      const leave = () => {
        connection.close();
        resolve();
      };
      if (socket.readyState !== socket.OPEN) return leave();
      socket.send(text, (error) => {
        if (error) return leave();
        sent += 1;
        if (sent % MESSAGES_PER_TURN === 0) setImmediate(resolve);
        else resolve();
      });
    });
}

/** Whether a message is one that only servers send: valid, but not from a client. */
function isForServers(text: string): boolean {
  const { type } = peek(text);
  return type === 'next' || type === 'error' || type === 'connection_ack';
}
