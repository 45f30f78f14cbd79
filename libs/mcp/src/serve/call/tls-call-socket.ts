import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { CallSocket } from './call-socket.js';

/**
 * The socket has the addresses and TLS properties of the caller's connection, and discards written
 * data. If it is destroyed, the call ends, but the caller's connection stays open.
 */
export function callSocketOf(caller: Socket, server: Server): CallSocket {
  return (caller as { encrypted?: boolean }).encrypted === true
    ? new TlsCallSocket(caller, server)
    : new CallSocket(caller, server);
}

const TLS_VALUES = [
  'encrypted',
  'authorized',
  'authorizationError',
  'servername',
  'alpnProtocol',
] as const;

/** Methods that describe the connection, read from the current Node.js version. */
const TLS_METHODS = Object.getOwnPropertyNames(TLSSocket.prototype).filter((name) =>
  /^(get|is)[A-Z]|^exportKeyingMaterial$/.test(name),
);

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
