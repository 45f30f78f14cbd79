import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';

/**
 * What stands where the socket of a tool call's request would be: the addresses and the TLS facts
 * of the caller's own connection, and nothing to write to. Destroying it ends the call, not the
 * connection.
 */
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

  constructor(private readonly caller: Socket) {
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
  get encrypted(): boolean | undefined {
    return (this.caller as Socket & TlsFacts).encrypted;
  }
  get authorized(): boolean | undefined {
    return (this.caller as Socket & TlsFacts).authorized;
  }
  get servername(): string | false | null | undefined {
    return (this.caller as Socket & TlsFacts).servername;
  }
  getPeerCertificate(...args: unknown[]): unknown {
    return (this.caller as Socket & TlsFacts).getPeerCertificate?.(...args);
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

interface TlsFacts {
  readonly encrypted?: boolean;
  readonly authorized?: boolean;
  readonly servername?: string | false | null;
  getPeerCertificate?(...args: unknown[]): unknown;
}
