import { LONGEST_TIMER_MS } from '@fledge/core/packages';
import { EventEmitter } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { callbackIn } from './recording.js';

/**
 * The socket has the addresses and TLS properties of the caller's connection, and discards written
 * data. If it is destroyed, the call ends, but the caller's connection stays open.
 */
export function callSocketOf(caller: Socket, server: Server): CallSocket {
  return (caller as { encrypted?: boolean }).encrypted === true
    ? new TlsCallSocket(caller as TLSSocket, server)
    : new CallSocket(caller, server);
}

/** The socket of a call, if the caller's connection does not use TLS. */
export class CallSocket extends EventEmitter {
  // A handler may read the addresses after the call has ended.
  readonly remoteAddress;
  readonly remoteFamily;
  readonly remotePort;
  readonly localAddress;
  readonly localPort;
  readonly localFamily;
  // Node's http module, `on-finished` and body parsers read these properties to check whether the
  // peer is connected.
  readable = true;
  writable = true;
  destroyed = false;
  readonly writableLength = 0;
  readonly readableHighWaterMark = 16_384;
  readonly writableHighWaterMark = 16_384;
  readonly allowHalfOpen = false;
  readonly connecting = false;
  readonly pending = false;
  readonly bytesRead = 0;
  readonly bytesWritten = 0;
  /** Milliseconds without a write after which `timeout` is emitted. */
  timeout: number | undefined = undefined;
  private idle: NodeJS.Timeout | undefined;

  /** The response that uses the socket. Node.js sets and reads this property. */
  _httpMessage: ServerResponse | null | undefined;

  /** Undefined after the call has ended. */
  protected caller: Socket | undefined;

  /** @param server the HTTP server that owns the socket. Node.js reads this property */
  constructor(
    caller: Socket,
    readonly server: Server,
  ) {
    super();
    this.caller = caller;
    this.remoteAddress = caller.remoteAddress;
    this.remoteFamily = caller.remoteFamily;
    this.remotePort = caller.remotePort;
    this.localAddress = caller.localAddress;
    this.localPort = caller.localPort;
    this.localFamily = caller.localFamily;
  }

  address() {
    return this.caller?.address() ?? {};
  }

  destroy(error?: Error): this {
    if (this.destroyed) return this;
    this.markDestroyed();
    process.nextTick(CallSocket.close, this, error);
    return this;
  }

  /** Emits `close` immediately. `destroy()` emits it in a later tick. */
  closeNow(): void {
    if (this.destroyed) return;
    this.markDestroyed();
    CallSocket.close(this);
  }

  private markDestroyed(): void {
    clearTimeout(this.idle);
    this.destroyed = true;
    this.readable = false;
    this.writable = false;
  }

  private static close(this: void, socket: CallSocket, error?: Error): void {
    if (error && socket.listenerCount('error') > 0) socket.emit('error', error);
    socket.emit('close', error !== undefined);
    // Applications may keep the socket. So the socket must not keep the call and the connection in
    // memory.
    socket._httpMessage = null;
    socket.caller = undefined;
    socket.removeAllListeners();
  }
  destroySoon(): void {
    this.destroy();
  }
  resetAndDestroy(): this {
    return this.destroy();
  }
  get closed(): boolean {
    return this.destroyed;
  }
  get readyState(): string {
    return this.destroyed ? 'closed' : 'open';
  }
  end(...args: unknown[]): this {
    const done = callbackIn(args);
    if (done) process.nextTick(done);
    return this.destroy();
  }

  /** Discards the data. For example, Node's response writes early hints before the head. */
  write(...args: unknown[]): boolean {
    const done = callbackIn(args);
    const error = this.destroyed ? new Error('write after end') : undefined;
    if (done) process.nextTick(done, error);
    this.touch();
    return true;
  }

  setTimeout(ms: number, callback?: () => void): this {
    if (this.destroyed) return this;
    this.timeout = ms;
    clearTimeout(this.idle);
    this.idle =
      ms > 0
        ? setTimeout(() => this.timedOut(), Math.min(ms, LONGEST_TIMER_MS)).unref()
        : undefined;
    if (callback && ms > 0) this.once('timeout', callback);
    else if (callback) this.off('timeout', callback);
    return this;
  }

  /** Restarts the timer that `setTimeout()` started. */
  touch(): void {
    this.idle?.refresh();
  }

  /** Does the same as Node's server (`socketOnTimeout`). Then calls this socket's listeners. */
  private timedOut(): void {
    const response = this._httpMessage;
    const request = response?.req;
    const handled = [
      request?.complete === false && request.emit('timeout', this),
      response?.emit('timeout', this),
      this.server.emit('timeout', this as unknown as Socket),
    ];
    if (!handled.includes(true)) this.destroy();
    this.emit('timeout');
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

/** Methods that describe the connection, read from the current Node.js version. */
const TLS_METHODS = Object.getOwnPropertyNames(TLSSocket.prototype).filter((name) =>
  /^(get|is)[A-Z]|^exportKeyingMaterial$/.test(name),
);

class TlsCallSocket extends CallSocket {
  readonly encrypted = true;
  readonly authorized;
  readonly authorizationError;
  readonly servername;
  readonly alpnProtocol;

  constructor(caller: TLSSocket, server: Server) {
    super(caller, server);
    this.authorized = caller.authorized;
    this.authorizationError = caller.authorizationError;
    this.servername = (caller as { servername?: string | false }).servername;
    this.alpnProtocol = caller.alpnProtocol;
  }

  static {
    for (const name of TLS_METHODS) {
      Object.defineProperty(this.prototype, name, {
        value(this: TlsCallSocket, ...args: unknown[]) {
          const { caller } = this as unknown as { caller?: Record<string, Function> };
          return caller?.[name]?.(...args) as unknown;
        },
      });
    }
  }
}
