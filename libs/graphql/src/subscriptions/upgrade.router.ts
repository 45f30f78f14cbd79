import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { SocketPathTakenError } from '../graphql.errors.js';
import { refuseUpgrade } from './refuse-upgrade.js';

/** Takes an upgrade over: answers it, or refuses it. */
export type UpgradeHandler = (req: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** Milliseconds an upgrade that is left to other listeners may stay without an answer. */
const UNANSWERED_MS = 10_000;

const routers = new WeakMap<Server, UpgradeRouter>();

/**
 * Gives each upgrade of a server to the one who serves exactly its path, and leaves the others to
 * the listeners of gateways, Socket.IO and Apollo, whenever those were added.
 *
 * It stands in `server.emit`, not among the listeners: all of those hear every upgrade, and
 * `@nestjs/platform-ws` destroys what it does not know, Apollo answers what merely starts like its path.
 */
export class UpgradeRouter {
  private readonly handlers = new Map<string, UpgradeHandler>();
  /** Left to others a short while ago, with the bytes each had been sent by then. */
  private readonly left = new Map<Socket, number>();
  private readonly leaveServer: () => void;

  /** The one router of a server. */
  static of(server: Server): UpgradeRouter {
    const router = routers.get(server) ?? new UpgradeRouter(server);
    routers.set(server, router);
    return router;
  }

  private constructor(private readonly server: Server) {
    // Node takes an upgrade for an ordinary request where nobody listens.
    const listening = () => undefined;
    server.on('upgrade', listening);

    // eslint-disable-next-line @typescript-eslint/unbound-method -- called on the server below
    const emit = server.emit as (event: string, ...args: unknown[]) => boolean;
    const routed = (event: string, ...args: unknown[]): boolean =>
      (event === 'upgrade' && this.takes(...(args as [IncomingMessage, Socket, Buffer]))) ||
      emit.call(server, event, ...args);
    server.emit = routed;

    this.leaveServer = () => {
      server.off('upgrade', listening);
      // Somebody else may stand in front of us by now. Without paths we let everything through.
      if (server.emit === routed) server.emit = emit;
    };
  }

  /**
   * Serves a path; its query string does not count. The result ends it.
   * @throws SocketPathTakenError
   */
  serve(path: string, handler: UpgradeHandler): () => void {
    if (this.handlers.has(path)) throw new SocketPathTakenError(path);
    this.handlers.set(path, handler);
    return () => {
      if (!this.handlers.delete(path) || this.handlers.size > 0) return;
      routers.delete(this.server);
      this.leaveServer();
      for (const [socket, sent] of this.left) if (socket.bytesWritten === sent) socket.destroy();
    };
  }

  /** Whether nobody else is to hear of an upgrade. */
  private takes(req: IncomingMessage, socket: Socket, head: Buffer): boolean {
    if (this.handlers.size === 0) return false;
    // Node has taken its own listener off: a client that resets would end the process.
    socket.on('error', () => undefined);
    const handler = this.handlers.get(req.url?.split('?', 1)[0] ?? '');
    if (handler) handler(req, socket, head);
    else if (this.server.listenerCount('upgrade') === 1) refuseUpgrade(socket, 404);
    else {
      this.watch(socket);
      return false;
    }
    return true;
  }

  /** An upgrade that none of the other listeners answers would keep the server from closing. */
  private watch(socket: Socket): void {
    const sent = socket.bytesWritten;
    const timer = setTimeout(() => {
      this.left.delete(socket);
      if (socket.bytesWritten === sent) refuseUpgrade(socket, 404);
    }, UNANSWERED_MS);
    this.left.set(socket, sent);
    socket.once('close', () => {
      clearTimeout(timer);
      this.left.delete(socket);
    });
  }
}
