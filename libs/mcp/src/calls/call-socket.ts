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

type AddressName =
  'remoteAddress' | 'remoteFamily' | 'remotePort' | 'localAddress' | 'localPort' | 'localFamily';

/** The parts of the caller's connection that the socket of a call shows. */
type Connection = Pick<Socket, 'address'> & {
  readonly [Name in AddressName]?: Socket[Name] | undefined;
};

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

  /** Node's property for the response that a socket has. */
  _httpMessage: unknown;

  constructor(protected caller: Connection) {
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
    this.markDestroyed();
    process.nextTick(CallSocket.close, this, error);
    return this;
  }

  /** Closes it in this tick: what ends the call is called in a tick of its own. */
  closeNow(): void {
    if (this.destroyed) return;
    this.markDestroyed();
    CallSocket.close(this);
  }

  private markDestroyed(): void {
    this.destroyed = true;
    this.readable = false;
    this.writable = false;
  }

  private static close(this: void, socket: CallSocket, error?: Error): void {
    if (error && socket.listenerCount('error') > 0) socket.emit('error', error);
    socket.emit('close', error !== undefined);
    // Applications may keep a socket until they close: it lets go of the call and of the connection.
    socket._httpMessage = null;
    socket.caller = new ClosedConnection(socket.caller);
    socket.removeAllListeners();
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

/** What a socket says of its connection after the call. Handlers may go on, and ask for the address. */
class ClosedConnection {
  readonly remoteAddress;
  readonly remoteFamily;
  readonly remotePort;
  readonly localAddress;
  readonly localPort;
  readonly localFamily;
  readonly encrypted;
  readonly authorized;

  constructor(connection: Connection) {
    const { encrypted, authorized } = connection as Partial<TLSSocket>;
    this.remoteAddress = connection.remoteAddress;
    this.remoteFamily = connection.remoteFamily;
    this.remotePort = connection.remotePort;
    this.localAddress = connection.localAddress;
    this.localPort = connection.localPort;
    this.localFamily = connection.localFamily;
    this.encrypted = encrypted;
    this.authorized = authorized;
  }

  address(): ReturnType<Socket['address']> {
    return {};
  }
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
