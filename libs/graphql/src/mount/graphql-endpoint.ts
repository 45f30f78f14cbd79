import type { ContextRequest, ContextResponse, MountHandler, RequestContext } from '@fledge/core';
import {
  afterInit,
  BeforeClosing,
  RequestContexts,
  RequestGate,
  serveDirectly,
} from '@fledge/core/packages';
import { Inject, Injectable, NotFoundException } from '@nestjs/common';
import { type AbstractHttpAdapter, ApplicationConfig, HttpAdapterHost } from '@nestjs/core';
import type { ServerResponse } from 'node:http';
import { DEFAULT_NAME } from '../graphql.defaults.js';
import { GraphqlContexts } from '../context/graphql-context.js';
import { serveExplorer } from '../explorer/serve-explorer.js';
import { Admission } from '../live/admission.js';
import { GraphqlOperations } from '../live/graphql-operations.js';
import { urlOf } from '../sockets/socket-path.js';
import { SocketServer } from '../sockets/socket-server.js';
import { answerError } from '../http/answer.js';
import {
  type BodyRequest,
  hasUnreadJson,
  isOperation,
  readJson,
  refuseForm,
} from '../http/read-request.js';
import { EventStreams } from './event-streams.js';
import { countWhenAnswered, whenReadAgain } from './opaque-runtime.js';
import { type FastifyReply, sendOnFastify, takeParserErrors } from './parser-errors.js';
import type { Mount } from './resolve-mount.js';

export const MOUNT = Symbol('fledge:graphql-mount');

/** Serves the HTTP requests of one mount. */
@Injectable()
export class GraphqlEndpoint {
  private runtime: MountHandler | undefined;
  /** Admits the operations of the mount's sockets and event streams. */
  private readonly admission: Admission;
  private readonly streams: EventStreams;
  private gateOfMount: ((ctx: RequestContext) => void | Promise<void>) | undefined;

  constructor(
    @Inject(MOUNT) private readonly mount: Mount,
    private readonly contexts: GraphqlContexts,
    private readonly requests: RequestContexts,
    private readonly gate: RequestGate,
    private readonly config: ApplicationConfig,
    private readonly host: HttpAdapterHost,
    private readonly closing: BeforeClosing,
    private readonly sockets: SocketServer,
    operations: GraphqlOperations,
  ) {
    const { limits, name, socketPath, path } = mount;
    if (mount.servesSubscriptions) {
      sockets.show(name === DEFAULT_NAME ? undefined : `${name}Subscriptions`, socketPath ?? path);
    }
    this.admission = new Admission(limits, contexts, operations, sockets.numbers);
    this.streams = new EventStreams(this.admission, this.before.bind(this));
    if (mount.direct) {
      host.init$.subscribe(() => {
        // The type excludes null and undefined. But an application without HTTP has no adapter.
        const adapter = host.httpAdapter as AbstractHttpAdapter | null | undefined;
        if (adapter) afterInit(adapter, () => this.serveDirectly(adapter));
      });
    }
  }

  /**
   * Builds the runtime. Call this after `main.ts` has set the global prefix, and before the routes
   * are registered.
   * @throws MissingPeerError, and the errors of invalid context decorators
   */
  async open(): Promise<void> {
    const { contexts, mount } = this;
    const path = this.url;
    this.gateOfMount = this.gate.before(GraphqlEndpoint, operation);
    await mount.protection.load?.();
    this.runtime = await mount.runtime({
      ...mount,
      path,
      contextOf: (req, res) => contexts.ofRequest(req, res),
      subscribe: (req, res, subscribe) => this.streams.subscribe(req, res, subscribe),
    });
    this.closing.add(() => this.streams.stop());
    if (mount.explorer) {
      const socketPath = mount.socketPath && urlOf(mount.socketPath, this.config);
      serveExplorer(this.host.httpAdapter, { path: () => path, socketPath: () => socketPath });
    }
    takeParserErrors(this.host.httpAdapter, path, (error, req, res) => {
      mount.counts.failed();
      answerError(req, res, error, mount.protection);
    });
  }

  /**
   * Serves the subscriptions of the mount over WebSocket, if the mount has a socket path.
   * @throws MissingPeerError, SocketPathTakenError, GraphqlOptionError
   */
  async openSockets(): Promise<void> {
    const { admission, mount } = this;
    const { socketPath: path } = mount;
    if (path === undefined) return;
    const before = this.before.bind(this);
    const url = urlOf(path, this.config);
    await this.sockets.start(() => ({ ...mount, path, url, admission, before }));
  }

  /**
   * Receives operations directly from the HTTP server. Called before gateways attach to the server.
   */
  private serveDirectly(adapter: AbstractHttpAdapter): void {
    const path = this.url;
    serveDirectly(adapter, {
      path,
      takes: (req) => req.url === path && isOperation(req),
      handle: (req, res) => this.handleDirectly(req, res),
    });
  }

  private handleDirectly(req: BodyRequest, res: ServerResponse): void {
    const { counts, protection } = this.mount;
    const refuse = (error?: unknown) => answerError(req, res, error ?? unserved(req), protection);
    this.requests.serve(asRequest(req), asResponse(res), (error) => {
      if (error === undefined) return void this.serve(req, res, refuse);
      counts.failed();
      refuse(error);
    });
  }

  /** The path with the global prefix. Available after the prefix is set. */
  get url(): string {
    return urlOf(this.mount.path, this.config);
  }

  /** Runs openers and context decorators for requests that no Nest handler serves. */
  before(ctx: RequestContext): void | Promise<void> {
    return this.gateOfMount?.(ctx);
  }

  /**
   * Serves a request as middleware. On Fastify, this receives Node's request and response, and the
   * body was not read yet.
   */
  serve(req: BodyRequest, res: ServerResponse, next: Next): Promise<void> {
    return this.answer(req, res, () => {
      const passed = this.before(this.requests.of(asRequest(req), asResponse(res)));
      if (passed === undefined) return this.run(req, res, next);
      return passed.then(() => this.run(req, res, next));
    });
  }

  /**
   * Serves a request as a route, after Nest's guards and interceptors. Receives the platform's
   * request and response.
   */
  async serveRoute(req: RouteRequest, res: ServerResponse | FastifyReply, next: Next) {
    if (!('hijack' in res)) return this.answer(req, res, () => this.run(req, res, next));
    const raw = req.raw ?? req;
    raw.body = req.body;
    sendOnFastify(res, () => void this.answer(raw, res.raw, () => this.run(raw, res.raw, next)));
  }

  /**
   * This code uses no promises if possible. While async storages are used, a promise takes Node.js
   * 20 about as long as a small resolver.
   */
  private async answer(req: BodyRequest, res: ServerResponse, run: () => void | Promise<void>) {
    const { runtime, protection, counts } = this.mount;
    if (runtime.streams === undefined) this.streams.follow(res);
    if (runtime.counts !== true) {
      countWhenAnswered(req, res, this.mount);
      whenReadAgain(req, res, (error) => answerError(req, res, error, protection));
    }
    try {
      await run();
    } catch (error) {
      if (runtime.counts === true) counts.failed();
      answerError(req, res, error, protection);
    }
  }

  private run(req: BodyRequest, res: ServerResponse, next: Next): void | Promise<void> {
    if (this.mount.runtime.forms !== true) refuseForm(req);
    if (!hasUnreadJson(req)) return this.runtime?.(req, res, next) as Promise<void> | void;
    return readJson(req, this.mount.maxBodyBytes).then(() =>
      this.runtime?.(req, res, this.host.httpAdapter.getType() === 'fastify' ? last : next),
    ) as Promise<void>;

    // The last function of the middleware chain. It does not call Fastify, because Fastify would
    // wait for a body that the mount has already read.
    function last(error?: unknown): void {
      next(error ?? unserved(req));
    }
  }
}

/**
 * Returns the error that the platform would send for a request that the runtime does not handle.
 */
function unserved({ method, url }: BodyRequest): NotFoundException {
  return new NotFoundException(`Cannot ${method} ${url}`);
}

/** Replaces a Nest handler, so that context decorators for all handlers also apply to a mount. */
function operation(): void {}

type Next = (error?: unknown) => void;
type RouteRequest = BodyRequest & { readonly raw?: BodyRequest };

// Node's request and response have the properties that core requires, but with other types.
const asRequest = (req: object) => req as ContextRequest;
const asResponse = (res: object) => res as ContextResponse;
