import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { SocketPathTakenError } from '../graphql.errors.js';

export type UpgradeHandler = (req: IncomingMessage, socket: Duplex, head: Buffer) => void;

/**
 * Milliseconds during which other listeners can respond to an upgrade. Then the router responds
 * with 404.
 */
const UNANSWERED_MS = 10_000;

const routers = new WeakMap<Server, UpgradeRouter>();

/**
 * Routes each upgrade of a server to the handler of its exact path. Other upgrades go to the
 * server's listeners: gateways, Socket.IO, Apollo. The router replaces `server.emit` instead of
 * adding a listener, because every listener receives every upgrade. `@nestjs/platform-ws` destroys
 * upgrades with unknown paths, and Apollo responds to all paths that start with its own path.
 */
export class UpgradeRouter {
  private readonly handlers = new Map<string, UpgradeHandler>();
  /**
   * The sockets that were passed to other listeners. The value is the number of bytes that were
   * written to the socket before.
   */
  private readonly passedOn = new Map<Socket, number>();
  private readonly restoreServer: () => void;

  static of(server: Server): UpgradeRouter {
    const router = routers.get(server) ?? new UpgradeRouter(server);
    routers.set(server, router);
    return router;
  }

  /** Returns true if a handler serves upgrades of a server at a path. */
  static serves(server: Server, path: string): boolean {
    return routers.get(server)?.handlers.has(path) ?? false;
  }

  private constructor(private readonly server: Server) {
    // If there is no listener, Node treats an upgrade as an ordinary request.
    const listening = () => undefined;
    server.on('upgrade', listening);

    // oxlint-disable-next-line typescript/unbound-method -- called on the server below
    const emit = server.emit as (event: string, ...args: unknown[]) => boolean;
    const routed = (event: string, ...args: unknown[]): boolean =>
      (event === 'upgrade' && this.handles(...(args as [IncomingMessage, Socket, Buffer]))) ||
      emit.call(server, event, ...args);
    server.emit = routed;

    this.restoreServer = () => {
      server.off('upgrade', listening);
      // If other code has replaced `emit` later, our function must stay. It then passes on all
      // events.
      if (server.emit === routed) server.emit = emit;
    };
  }

  /**
   * Serves a path, with any query string. Returns a function that stops serving the path.
   * @throws SocketPathTakenError
   */
  serve(path: string, handler: UpgradeHandler): () => void {
    if (this.handlers.has(path)) throw new SocketPathTakenError(path);
    this.handlers.set(path, handler);
    return () => {
      if (!this.handlers.delete(path) || this.handlers.size > 0) return;
      routers.delete(this.server);
      this.restoreServer();
      for (const [socket, sent] of this.passedOn)
        if (socket.bytesWritten === sent) socket.destroy();
    };
  }

  /**
   * Returns true if the router has handled an upgrade. Other listeners must then not receive the
   * upgrade.
   */
  private handles(req: IncomingMessage, socket: Socket, head: Buffer): boolean {
    if (this.handlers.size === 0) return false;
    // Node has removed its own error listener. Without a listener, a connection reset would end the
    // process.
    socket.on('error', () => undefined);
    const handler = this.handlers.get(req.url?.split('?', 1)[0] ?? '');
    if (handler) handler(req, socket, head);
    else if (this.server.listenerCount('upgrade') === 1) refuseUpgrade(socket, 404);
    else {
      this.watchUnanswered(socket);
      return false;
    }
    return true;
  }

  /**
   * If no listener responds, the upgrade is rejected later, because an open socket would keep the
   * server from closing.
   */
  private watchUnanswered(socket: Socket): void {
    const sent = socket.bytesWritten;
    const timer = setTimeout(() => {
      this.passedOn.delete(socket);
      if (socket.bytesWritten === sent) refuseUpgrade(socket, 404);
    }, UNANSWERED_MS);
    this.passedOn.set(socket, sent);
    socket.once('close', () => {
      clearTimeout(timer);
      this.passedOn.delete(socket);
    });
  }
}

/**
 * Rejects an upgrade with an HTTP status and closes the connection. There is no WebSocket to close
 * yet.
 */
export function refuseUpgrade(socket: Duplex, status: 403 | 404 | 429 | 503): void {
  const text = STATUS_CODES[status] ?? '';
  socket.once('finish', () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${status} ${text}\r\n` +
      'Connection: close\r\n' +
      'Content-Type: text/plain; charset=utf-8\r\n' +
      `Content-Length: ${text.length}\r\n\r\n${text}`,
  );
}
