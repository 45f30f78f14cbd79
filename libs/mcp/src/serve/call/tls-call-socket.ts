import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { CallSocket } from './call-socket.js';

/**
 * Creates the socket of a call's request. It has the addresses and TLS properties of the caller's
 * connection, and discards written data. Destroying it ends the call, not the connection.
 */
export function callSocketOf(caller: Socket, server: Server): CallSocket {
  return (caller as { encrypted?: boolean }).encrypted === true
    ? new TlsCallSocket(caller, server)
    : new CallSocket(caller, server);
}

/**
 * Properties of a TLS socket that describe the connection. A connection without TLS does not have
 * these properties.
 */
const TLS_VALUES = [
  'encrypted',
  'authorized',
  'authorizationError',
  'servername',
  'alpnProtocol',
] as const;

/** Methods of a TLS socket that describe the connection, in the current version of Node. */
const TLS_METHODS = Object.getOwnPropertyNames(TLSSocket.prototype).filter((name) =>
  /^(get|is)[A-Z]|^exportKeyingMaterial$/.test(name),
);

/** The socket of a call whose caller is connected with TLS. */
class TlsCallSocket extends CallSocket {
  static {
    for (const name of TLS_VALUES) {
      Object.defineProperty(this.prototype, name, {
        get(this: TlsCallSocket) {
          return (this.caller as TLSSocket)[name];
        },
      });
    }
    for (const name of TLS_METHODS) {
      Object.defineProperty(this.prototype, name, {
        value(this: TlsCallSocket, ...args: unknown[]) {
          return (this.caller as unknown as Record<string, Function>)[name]?.(...args) as unknown;
        },
      });
    }
  }
}
