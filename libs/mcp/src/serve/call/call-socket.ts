import { LONGEST_TIMER_MS } from '@fledge/core/packages';
import { EventEmitter } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ClosedConnection, type Connection } from './caller-connection.js';
import { callbackIn } from './recording.js';

/** The socket of a call, if the caller's connection does not use TLS. */
export class CallSocket extends EventEmitter {
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

  /** @param server the HTTP server that owns the socket. Node.js reads this property */
  constructor(
    protected caller: Connection,
    readonly server: Server,
  ) {
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
    socket.caller = new ClosedConnection(socket.caller);
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
