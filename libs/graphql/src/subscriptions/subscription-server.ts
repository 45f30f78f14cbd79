import type { BeforeClosing } from '@fledge/core/packages';
import type { HttpServer } from '@nestjs/common';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { closeSilentSockets, closeSockets } from './close-sockets.js';
import type { GraphqlOperations } from './graphql-operations.js';
import type { GraphqlSubscriptionsSnapshot } from './graphql-subscriptions.adapter.js';
import { originAllowed } from './origin.js';
import { Places } from './places.js';
import { protocolHooks } from './protocol-hooks.js';
import { serveSocket } from './serve-socket.js';
import { SocketConnection } from './socket-connection.js';
import type { SocketSetup } from './socket-setup.js';
import { type Revalidation, revalidationOf } from './revalidation.js';
import { loadSocketPackages } from './socket-packages.js';
import { SubscriptionNumbers } from './subscription-numbers.js';
import { refuseUpgrade, UpgradeRouter } from './upgrade-router.js';

/** The schema to serve, its limits and its path. */
export interface SubscriptionServerOptions extends Omit<
  SocketSetup,
  'numbers' | 'operations' | 'places' | 'revalidation'
> {
  /** What the checks of the endpoint share with its event streams. @default made from the limits */
  readonly revalidation?: Revalidation | undefined;
  /** The places that sockets and event streams of the endpoint share. @default made from the limits */
  readonly places?: Places | undefined;
  /** Shown in the snapshot. */
  readonly path: string;
  /** The full path on the server: `path` below the global prefix. */
  readonly url: string;
  /** Nest's HTTP adapter. Upgrades come from its server. */
  readonly adapter: HttpServer;
  readonly closing: BeforeClosing;
}

/** Serves the subscriptions of a schema over WebSocket at one path. */
export class SubscriptionServer {
  private readonly connections = new Set<SocketConnection>();
  private path = '';
  private close: (() => Promise<void>) | undefined;
  private closing: Promise<void> | undefined;

  /**
   * @param operations lists the operations
   * @param numbers counts the subscriptions
   */
  constructor(
    private readonly operations: GraphqlOperations,
    private readonly numbers = new SubscriptionNumbers(),
  ) {}

  /**
   * Serves upgrades of the path until the application closes.
   * @throws MissingPeerError, SocketPathTakenError, GraphqlOptionError
   */
  async start(options: SubscriptionServerOptions): Promise<void> {
    const { path, url, adapter } = options;
    const setup = this.setupOf(options);
    const { gracePeriodMs, maxPayload } = setup.limits;
    const { ws, graphqlWs } = await loadSocketPackages();
    await options.protection.load?.();
    const protocol = graphqlWs.makeServer(protocolHooks(setup));
    const sockets = new ws.WebSocketServer({
      noServer: true,
      maxPayload,
      handleProtocols: (names) => graphqlWs.handleProtocols(names),
    });

    const release = UpgradeRouter.of(adapter.getHttpServer() as Server).serve(
      url,
      (req, transport, head) => {
        if (!this.admits(req, transport, setup)) return;
        sockets.handleUpgrade(req, transport, head, (socket) => {
          const connection = new SocketConnection(req, setup);
          this.add(connection, socket);
          serveSocket(socket, transport, protocol, connection);
        });
      },
    );
    const stopPings = closeSilentSockets(sockets);
    this.path = path;
    this.close = async () => {
      stopPings();
      const closed = closeSockets(sockets, gracePeriodMs);
      // After the close frames, so clients get no `complete` for the operations that end here.
      for (const connection of this.connections) connection.close();
      await closed;
      release();
    };
    options.closing.add(() => this.stop());
  }

  /** Closes all sockets within the grace period. */
  private async stop(): Promise<void> {
    this.closing ??= this.close?.();
    await this.closing;
  }

  /** @param name shown in the snapshot */
  introspect(name: string, path = this.path): GraphqlSubscriptionsSnapshot {
    return {
      protocolVersion: 1,
      name,
      kind: 'adapter',
      state: { path },
      metrics: { connections: this.connections.size, ...this.numbers.snapshot() },
    };
  }

  private setupOf(options: SubscriptionServerOptions): SocketSetup {
    const { operations, numbers } = this;
    const { limits } = options;
    const revalidation = options.revalidation ?? revalidationOf(limits);
    const places = options.places ?? new Places(limits);
    return { ...options, numbers, operations, places, revalidation };
  }

  /** Returns true for an upgrade that may go on, after taking its place. Answers others. */
  private admits(req: IncomingMessage, transport: Duplex, setup: SocketSetup): boolean {
    const refused = (status: 403 | 429 | 503) => {
      refuseUpgrade(transport, status);
      return false;
    };
    if (this.closing) return refused(503);
    if (!originAllowed(req, setup.limits.origins)) return refused(403);
    const place = setup.places.take('sockets', setup.contexts.addressOf(req).ip);
    if (typeof place !== 'function') return refused(place === 'address' ? 429 : 503);
    transport.once('close', place);
    return true;
  }

  private add(connection: SocketConnection, socket: WebSocket): void {
    this.connections.add(connection);
    const remove = this.operations.opened({
      connection: connection.connection,
      get ctx() {
        return connection.ctx;
      },
      disconnect: () => socket.close(4403, 'Forbidden'),
    });
    socket.once('close', () => {
      remove();
      this.connections.delete(connection);
    });
  }
}
