import type { HttpServer } from '@nestjs/common';
import type { Server } from 'node:http';
import type { WebSocket } from 'ws';
import type { SubscriptionLimits } from '../graphql.options.js';
import { beforeClosing } from './before-closing.js';
import type { GraphqlOperations } from './graphql-operations.js';
import type { GraphqlSubscriptionsSnapshot } from './graphql-subscriptions.adapter.js';
import { originAllowed } from './origin.js';
import { protocolHooks } from './protocol-hooks.js';
import { refuseUpgrade } from './refuse-upgrade.js';
import { type Served, SocketConnection } from './socket.connection.js';
import { sayGoodbye, watchOver } from './socket.farewell.js';
import { loadSocketPackages } from './socket-packages.js';
import { speak } from './socket.transport.js';
import { resolveLimits } from './subscription.limits.js';
import { SubscriptionNumbers } from './subscription.numbers.js';
import { UpgradeRouter } from './upgrade.router.js';

/** What to serve, and where. */
export interface SubscriptionServerOptions extends Omit<
  Served,
  'limits' | 'numbers' | 'operations'
> {
  /** Told by the snapshot. */
  readonly path: string;
  /** The whole path on the server: `path` below the global prefix. */
  readonly url: string;
  readonly limits: SubscriptionLimits;
  /** Nest's adapter, of whose server the upgrades are taken. */
  readonly adapter: HttpServer;
}

/** Serves the subscriptions of a schema over WebSockets at one path. */
export class SubscriptionServer {
  private readonly connections = new Set<SocketConnection>();
  private path = '';
  private leave: (() => Promise<void>) | undefined;
  private left: Promise<void> | undefined;

  /**
   * @param operations where its operations are listed
   * @param numbers where they are counted
   */
  constructor(
    private readonly operations: GraphqlOperations,
    private readonly numbers = new SubscriptionNumbers(),
  ) {}

  /**
   * Takes over the upgrades of the path, until the application closes.
   * @throws MissingPeerError, SocketPathTakenError, GraphqlOptionError
   */
  async start(options: SubscriptionServerOptions): Promise<void> {
    const { path, url, adapter, limits } = options;
    const { operations, numbers } = this;
    const served: Served = { ...options, limits: resolveLimits(limits), numbers, operations };
    const { gracePeriodMs, maxPayload, origins } = served.limits;
    const { ws, graphqlWs } = await loadSocketPackages();
    const protocol = graphqlWs.makeServer(protocolHooks(served));
    const sockets = new ws.WebSocketServer({
      noServer: true,
      maxPayload,
      handleProtocols: (names) => graphqlWs.handleProtocols(names),
    });

    const release = UpgradeRouter.of(adapter.getHttpServer() as Server).serve(
      url,
      (req, transport, head) => {
        if (this.left) return refuseUpgrade(transport, 503);
        if (!originAllowed(req, origins)) return refuseUpgrade(transport, 403);
        sockets.handleUpgrade(req, transport, head, (socket) => {
          const connection = new SocketConnection(req, served);
          this.admit(connection, socket);
          speak(socket, transport, protocol, connection);
        });
      },
    );
    const rest = watchOver(sockets);
    this.path = path;
    this.leave = async () => {
      rest();
      const gone = sayGoodbye(sockets, gracePeriodMs);
      // The sockets are closing: what ends now is not told to clients any more.
      for (const connection of this.connections) connection.close();
      await gone;
      release();
    };
    beforeClosing(adapter, () => this.stop());
  }

  /** Ends all sockets, within the grace period. Called when the application closes. */
  async stop(): Promise<void> {
    this.left ??= this.leave?.();
    await this.left;
  }

  /** @param name as told by the snapshot */
  introspect(name: string, path = this.path): GraphqlSubscriptionsSnapshot {
    return {
      protocolVersion: 1,
      name,
      kind: 'adapter',
      state: { path },
      metrics: { connections: this.connections.size, ...this.numbers.snapshot() },
    };
  }

  private admit(connection: SocketConnection, socket: WebSocket): void {
    this.connections.add(connection);
    const left = this.operations.opened({
      connection: connection.connection,
      get ctx() {
        return connection.ctx;
      },
      disconnect: () => socket.close(4403, 'Forbidden'),
    });
    socket.once('close', () => {
      left();
      this.connections.delete(connection);
    });
  }
}
