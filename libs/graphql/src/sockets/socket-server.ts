import { IntrospectionRegistry } from '@fledge/core';
import { BeforeClosing } from '@fledge/core/packages';
import { type HttpServer, Injectable, Logger } from '@nestjs/common';
import { ApplicationConfig, HttpAdapterHost, ModulesContainer } from '@nestjs/core';
import {
  type ExecutionResult,
  type FormattedExecutionResult,
  type GraphQLError,
  subscribe,
} from 'graphql';
import type { ServerOptions } from 'graphql-ws';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket, WebSocketServer } from 'ws';
import { withFormattedErrors } from '../http/answer.js';
import type { OperationResult } from '../http/runtime.js';
import { SubscriptionNames } from '../live/graphql-operations.module.js';
import {
  GraphqlSubscriptionsAdapter,
  type GraphqlSubscriptionsSnapshot,
  SubscriptionNumbers,
} from '../live/graphql-subscriptions.adapter.js';
import type { OperationArgs } from '../live/running-operation.js';
import { loadPeer } from '../load-peer.js';
import { SocketPathTakenError } from '../graphql.errors.js';
import { asGraphqlError } from '../operation/formatted-error.js';
import type { OperationProtection } from '../operation/served-schema.js';
import { gatewayAt } from './gateway-path.js';
import { originAllowed } from './origin.js';
import { closeSilentSockets, closeSockets, serveSocket } from './serve-socket.js';
import { SocketConnection, type SocketSetup } from './socket-connection.js';
import { refuseUpgrade, UpgradeRouter } from './upgrade-router.js';

/**
 * Serves the subscriptions of a schema over WebSocket at one path. The snapshot also counts event
 * streams.
 */
@Injectable()
export class SocketServer extends GraphqlSubscriptionsAdapter {
  name = '';
  /** The counts of sockets and event streams. */
  readonly numbers = new SubscriptionNumbers();
  private path = '';
  private readonly connections = new Set<SocketConnection>();
  /** Set when the application starts to close. */
  private closed: Promise<void> | undefined;

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly closing: BeforeClosing,
    private readonly names: SubscriptionNames,
    private readonly introspection: IntrospectionRegistry,
    private readonly modules: ModulesContainer,
    private readonly config: ApplicationConfig,
  ) {
    super();
  }

  /** Adds the snapshot to the introspection. */
  show(name?: string, path = ''): void {
    this.name = this.names.take(name);
    this.path = path;
    this.introspection.register(this);
  }

  introspect(): GraphqlSubscriptionsSnapshot {
    const { name, path, connections } = this;
    const metrics = { connections: connections.size, ...this.numbers.snapshot() };
    return { protocolVersion: 1, name, kind: 'adapter', state: { path }, metrics };
  }

  /**
   * Serves upgrades of the path until the application closes. Call this when all schemas are built
   * and all gateways listen.
   * @param optionsOf returns the options. Not called in an application without HTTP
   * @throws MissingPeerError, SocketPathTakenError, GraphqlOptionError
   */
  async start(optionsOf: () => SocketSetup | Promise<SocketSetup>): Promise<void> {
    // The type excludes null and undefined. But application contexts, microservices and
    // `TestingModule.init()` have no HTTP adapter.
    const adapter = this.host.httpAdapter as HttpServer | null | undefined;
    if (!adapter) return;
    const options = await optionsOf();
    const { path, url, admission } = options;
    if (/[:*{]/.test(url)) return warnOfParameter(url);
    const gateway = gatewayAt(url, this.modules, this.config);
    if (gateway !== undefined) throw new SocketPathTakenError(url, gateway);
    const { gracePeriodMs, maxPayload } = admission.limits;
    const [ws, graphqlWs] = await loadPackages();
    await options.protection.load?.();
    const protocol = graphqlWs.makeServer(protocolHooks(options));
    const sockets = new ws.WebSocketServer({
      noServer: true,
      maxPayload,
      handleProtocols: (names) => graphqlWs.handleProtocols(names),
    });

    const release = UpgradeRouter.of(adapter.getHttpServer() as Server).serve(
      url,
      (req, transport, head) => {
        if (!this.admits(req, transport, options)) return;
        sockets.handleUpgrade(req, transport, head, (socket) => {
          const connection = new SocketConnection(req, options);
          this.add(connection, socket, options);
          serveSocket(socket, transport, protocol, connection);
        });
      },
    );
    const stopPings = closeSilentSockets(sockets);
    this.path = path;
    const close = async () => {
      stopPings();
      await this.closeAll(sockets, gracePeriodMs);
      release();
    };
    this.closing.add(() => (this.closed ??= close()));
  }

  private async closeAll(sockets: WebSocketServer, gracePeriodMs: number): Promise<void> {
    const closed = closeSockets(sockets, gracePeriodMs);
    // This must run after the close frames were sent. Otherwise, clients would receive `complete`
    // for the operations that end here.
    for (const connection of this.connections) connection.close();
    await closed;
  }

  /**
   * Returns true if an upgrade may continue, and reserves a place for its socket. Rejects other
   * upgrades with an HTTP status.
   */
  private admits(req: IncomingMessage, transport: Duplex, { admission }: SocketSetup): boolean {
    const refused = (status: 403 | 429 | 503) => {
      refuseUpgrade(transport, status);
      return false;
    };
    if (this.closed) return refused(503);
    if (!originAllowed(req, admission.limits.origins)) return refused(403);
    const place = admission.places.take('sockets', admission.contexts.addressOf(req).ip);
    if (typeof place !== 'function') return refused(place === 'address' ? 429 : 503);
    transport.once('close', place);
    return true;
  }

  private add(connection: SocketConnection, socket: WebSocket, { admission }: SocketSetup): void {
    this.connections.add(connection);
    const remove = admission.operations.opened({
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

type Options = ServerOptions<Record<string, unknown>, SocketConnection>;

/** Connects the hooks of graphql-ws to a connection and its operations. */
function protocolHooks({ admission, protection, tracer, execute }: SocketSetup): Options {
  return {
    connectionInitWaitTimeout: admission.limits.initTimeoutMs,
    onConnect: ({ extra, connectionParams }) => extra.connect(connectionParams),
    onSubscribe: ({ extra }, _id, payload) => extra.begin(payload),
    execute: (args) =>
      (args as OperationArgs).operation.run(() => tracer.run(args, () => execute(args))),
    subscribe: (args) =>
      (args as OperationArgs).operation.run(() =>
        tracer.run<OperationResult>(args, () => subscribe(args)),
      ),
    // oxlint-disable-next-line fledge/few-parameters -- the parameters are those of graphql-ws
    onNext: (_ctx, _id, _payload, args, result) =>
      resultForClient(args as OperationArgs, result as ExecutionResult, protection),
    onError: (_ctx, _id, _payload, errors) => errors.map((error) => protection.format(error)),
  };
}

/** Returns a result with errors for clients. */
function resultForClient(
  { operation }: OperationArgs,
  result: ExecutionResult,
  protection: OperationProtection,
): FormattedExecutionResult {
  if (result.errors !== undefined) operation.fail();
  const sent = operation.within(() => withFormattedErrors(result, protection));
  // graphql-ws reports an event that cannot be sent as an error of the subscription.
  if (operation.live?.kind === 'subscription') return sent;
  const fault = jsonFault(sent);
  if (fault === undefined) return sent;
  operation.fail();
  return { errors: [operation.within(() => protection.format(fault))] };
}

/**
 * Returns the error if JSON cannot represent a value, for example because of a bigint. graphql-ws
 * would throw this error, and the socket would close with all its operations.
 */
function jsonFault(value: unknown): GraphQLError | undefined {
  try {
    JSON.stringify(value);
    return undefined;
  } catch (error) {
    return asGraphqlError(error);
  }
}

/**
 * Loads the optional packages at startup.
 * @throws MissingPeerError
 */
function loadPackages() {
  const user = 'A GraphQL WebSocket endpoint';
  const install = 'ws graphql-ws';
  return Promise.all([
    loadPeer('ws', user, () => import('ws'), install),
    loadPeer('graphql-ws', user, () => import('graphql-ws'), install),
  ]);
}

/** Upgrades are found by their exact path, so a path with a parameter serves HTTP requests only. */
function warnOfParameter(url: string): void {
  new Logger('GraphQL').warn(
    `Subscriptions are not served over WebSocket at ${url}, because this path has a parameter. ` +
      'Use a global prefix and a path without parameters, or exclude the path from the prefix.',
  );
}
