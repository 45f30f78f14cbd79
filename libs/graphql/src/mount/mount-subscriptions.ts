import { IntrospectionRegistry } from '@fledge/core';
import { BeforeClosing } from '@fledge/core/packages';
import { Inject, Injectable } from '@nestjs/common';
import { ApplicationConfig, HttpAdapterHost } from '@nestjs/core';
import { DEFAULT_NAME } from '../graphql.defaults.js';
import { GraphqlSubscriptionsAdapter } from '../live/graphql-subscriptions.adapter.js';
import { urlOf } from '../sockets/socket-path.js';
import { SubscriptionNames } from '../live/graphql-operations.module.js';
import { SocketServer } from '../sockets/socket-server.js';
import { GraphqlEndpoint, MOUNT } from './graphql-endpoint.js';
import type { Mount } from './resolve-mount.js';

/** Serves the schema of a mount over WebSocket, with the mount's protection and counts. */
@Injectable()
export class MountSubscriptions extends GraphqlSubscriptionsAdapter {
  readonly name: string;
  private readonly server = new SocketServer();

  constructor(
    @Inject(MOUNT) private readonly mount: Mount,
    private readonly endpoint: GraphqlEndpoint,
    private readonly config: ApplicationConfig,
    private readonly host: HttpAdapterHost,
    private readonly closing: BeforeClosing,
    names: SubscriptionNames,
    introspection: IntrospectionRegistry,
  ) {
    super();
    const served = mount.socketPath !== undefined || mount.runtime.streams === true;
    const named = mount.name === DEFAULT_NAME ? undefined : `${mount.name}Subscriptions`;
    this.name = served ? names.take(named) : '';
    if (served) introspection.register(this);
  }

  /** @throws MissingPeerError, SocketPathTakenError, GraphqlOptionError */
  async start(): Promise<void> {
    const { socketPath: path } = this.mount;
    const adapter = this.host.httpAdapter;
    // The type excludes null, but it is null in an application without HTTP.
    if (path === undefined || !adapter) return;
    await this.server.start({
      ...this.mount,
      path,
      url: urlOf(path, this.config),
      adapter,
      admission: this.endpoint.admission,
      closing: this.closing,
      before: (ctx) => this.endpoint.before(ctx),
    });
  }

  introspect(): ReturnType<GraphqlSubscriptionsAdapter['introspect']> {
    const { path, socketPath } = this.mount;
    return this.server.introspect(this.name, this.endpoint.admission.numbers, socketPath ?? path);
  }
}
