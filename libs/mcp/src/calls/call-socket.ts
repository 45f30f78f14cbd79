import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/**
 * The socket of a call's request: the addresses and the TLS facts of the caller's own connection,
 * and nothing to write to. Destroying it ends the call, not the connection.
 */
export function callSocketOf(caller: Socket): CallSocket {
  return (caller as { encrypted?: boolean }).encrypted === true
    ? new TlsCallSocket(caller)
    : new CallSocket(caller);
}

/** The socket of a call whose caller is connected without TLS. */
export class CallSocket extends EventEmitter {
  // Read by Node's http, by `on-finished` and by body parsers to tell whether the peer is there.
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

/** What a TLS socket says of its connection. Without TLS none of these is there, as on a direct request. */
const TLS_VALUES = [
  'encrypted',
  'authorized',
  'authorizationError',
  'servername',
  'alpnProtocol',
] as const;

/** The methods by which the running version of Node answers about the connection. */
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
