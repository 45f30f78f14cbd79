import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/**
 * Creates the socket of a call's request. It has the addresses and TLS properties of the caller's
 * connection, and discards what is written. Destroying it ends the call, not the connection.
 */
export function callSocketOf(caller: Socket): CallSocket {
  return (caller as { encrypted?: boolean }).encrypted === true
    ? new TlsCallSocket(caller)
    : new CallSocket(caller);
}

/** The socket of a call whose caller is connected without TLS. */
export class CallSocket extends EventEmitter {
  // Node's http, `on-finished` and body parsers read these to check whether the peer is connected.
  readable = true;
  writable = true;
  destroyed = false;
  readonly writableLength = 0;
  readonly readableHighWaterMark = 16_384;
  readonly writableHighWaterMark = 16_384;
  readonly allowHalfOpen = false;
  readonly connecting = false;

  constructor(protected readonly caller: Socket) {
    super();
  }

  get remoteAddress() {
    return this.caller.remoteAddress;
  }
  get remoteFamily() {
    return this.caller.remoteFamily;
  }
  get remotePort() {
    return this.caller.remotePort;
  }
  get localAddress() {
    return this.caller.localAddress;
  }
  get localPort() {
    return this.caller.localPort;
  }
  get localFamily() {
    return this.caller.localFamily;
  }
  address() {
    return this.caller.address();
  }

  destroy(error?: Error): this {
    if (this.destroyed) return this;
    this.destroyed = true;
    this.readable = false;
    this.writable = false;
    process.nextTick(() => {
      if (error && this.listenerCount('error') > 0) this.emit('error', error);
      this.emit('close', error !== undefined);
    });
    return this;
  }
  destroySoon(): void {
    this.destroy();
  }
  end(): this {
    return this.destroy();
  }

  write(): boolean {
    return true;
  }
  setTimeout(): this {
    return this;
  }
  setNoDelay(): this {
    return this;
  }
  setKeepAlive(): this {
    return this;
  }
  pause(): this {
    return this;
  }
  resume(): this {
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
  cork(): void {}
  uncork(): void {}
}

/**
 * Properties of a TLS socket that describe the connection. Without TLS they are absent, as on a direct
 * request.
 */
const TLS_VALUES = [
  'encrypted',
  'authorized',
  'authorizationError',
  'servername',
  'alpnProtocol',
] as const;

/** Methods of a TLS socket that describe the connection, in the running version of Node. */
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
