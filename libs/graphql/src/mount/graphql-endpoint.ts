import {
  type ContextRequest,
  type ContextResponse,
  type MountHandler,
  type RequestContext,
  RequestContexts,
  RequestGate,
} from '@fledge/core';
import { Inject, Injectable, NotFoundException } from '@nestjs/common';
import { ApplicationConfig, HttpAdapterHost } from '@nestjs/core';
import type { ServerResponse } from 'node:http';
import { GraphqlContexts } from '../context/graphql-contexts.js';
import { beforeClosing } from '../subscriptions/before-closing.js';
import { GraphqlOperations } from '../subscriptions/graphql-operations.js';
import { urlOf } from '../subscriptions/socket-path.js';
import { resolveLimits } from '../subscriptions/subscription.limits.js';
import { SubscriptionNumbers } from '../subscriptions/subscription.numbers.js';
import { answerError } from './error-answer.js';
import { EventStreams } from './event-streams.js';
import type { Mount } from './mount.options.js';
import { tallyWhenAnswered } from './opaque-tally.js';
import { type FastifyReply, sendOnFastify, takeParserErrors } from './parser-errors.js';
import { type BodyRequest, hasUnreadJson, readJson, whenReadAgain } from './request-body.js';

/** Injects the resolved options of a mount. */
export const MOUNT = Symbol('fledge:graphql-mount');

/** Serves the HTTP requests of one mount. */
@Injectable()
export class GraphqlEndpoint {
  private runtime: MountHandler | undefined;
  /** What the sockets and the event streams of the mount do. */
  readonly numbers = new SubscriptionNumbers();
  private readonly answers = new Set<ServerResponse>();
  private readonly streams: EventStreams;
  private gateOfMount: ((ctx: RequestContext) => void | Promise<void>) | undefined;

  constructor(
    @Inject(MOUNT) private readonly mount: Mount,
    private readonly contexts: GraphqlContexts,
    private readonly requests: RequestContexts,
    private readonly gate: RequestGate,
    private readonly config: ApplicationConfig,
    private readonly host: HttpAdapterHost,
    operations: GraphqlOperations,
  ) {
    const limits = resolveLimits(mount.subscriptions ?? {});
    const { numbers } = this;
    this.streams = new EventStreams({ limits, contexts, operations, numbers });
  }

  /**
   * Builds the runtime. Call it when the global prefix is known: after `main.ts`, before the routes.
   * @throws MissingPeerError, and what context decorators find wrong with themselves
   */
  async open(): Promise<void> {
    const { contexts, mount } = this;
    const path = urlOf(mount.path, this.config);
    this.gateOfMount = this.gate.before(GraphqlEndpoint, operation);
    this.runtime = await mount.runtime({
      ...mount,
      path,
      contextOf: (req, res) => contexts.ofRequest(asRequest(req), asResponse(res)),
      subscribe: (req, res, subscribe) => this.streams.subscribe(req, res, subscribe),
    });
    beforeClosing(this.host.httpAdapter, () => this.hangUp());
    takeParserErrors(this.host.httpAdapter, path, (error, req, res) => {
      mount.counts.failed();
      answerError(req, res, error, mount.protection);
    });
  }

  /** Where no handler of Nest follows, what happens before one happens here. */
  before(ctx: RequestContext): void | Promise<void> {
    return this.gateOfMount?.(ctx);
  }

  /** As middleware. On Fastify it gets Node's request and response, and the body is not read yet. */
  serve(req: BodyRequest, res: ServerResponse, next: Next): Promise<void> {
    return this.answer(req, res, async () => {
      const passed = this.before(this.requests.of(asRequest(req), asResponse(res)));
      if (passed !== undefined) await passed;
      await this.run(req, res, next);
    });
  }

  /** As a route, behind Nest's guards and interceptors, with the platform's request and response. */
  async serveRoute(req: RouteRequest, res: ServerResponse | FastifyReply, next: Next) {
    if (!('hijack' in res)) return this.answer(req, res, () => this.run(req, res, next));
    const raw = req.raw ?? req;
    raw.body = req.body;
    sendOnFastify(res, () => void this.answer(raw, res.raw, () => this.run(raw, res.raw, next)));
  }

  private async answer(req: BodyRequest, res: ServerResponse, run: () => Promise<void>) {
    const { runtime, protection, counts } = this.mount;
    if (runtime.streams !== false) this.follow(res);
    if (runtime.counts !== true) {
      tallyWhenAnswered(req, res, this.mount);
      whenReadAgain(req, res, (error) => answerError(req, res, error, protection));
    }
    try {
      await run();
    } catch (error) {
      if (runtime.counts === true) counts.failed();
      answerError(req, res, error, protection);
    }
  }

  private follow(res: ServerResponse): void {
    this.answers.add(res);
    res.once('close', () => this.answers.delete(res));
  }

  /**
   * A closing server waits for every answer, and event streams stay open until they are cut. An answer
   * that has not begun gets some time: it may become an event stream.
   */
  private async hangUp(): Promise<void> {
    await this.streams.stop();
    const cut = () => {
      for (const answer of this.answers) if (isStreaming(answer)) answer.destroy();
      if (this.answers.size > 0) setTimeout(cut, LOOK_AGAIN_MS).unref();
    };
    cut();
  }

  private async run(req: BodyRequest, res: ServerResponse, next: Next): Promise<void> {
    if (!hasUnreadJson(req)) return void (await this.runtime?.(req, res, next));
    await readJson(req, this.mount.maxBodyBytes);
    await this.runtime?.(req, res, this.host.httpAdapter.getType() === 'fastify' ? last : next);

    // Fastify would wait for the body that was read here.
    function last(error?: unknown): void {
      next(error ?? new NotFoundException(`Cannot ${req.method} ${req.url}`));
    }
  }
}

/** Milliseconds between two looks at answers that may become streams while the application closes. */
const LOOK_AGAIN_MS = 50;

/** Whatever its media type: an answer that is no stream is written in one go. */
function isStreaming(answer: ServerResponse): boolean {
  return answer.headersSent && !answer.writableEnded;
}

/** In place of a handler: what holds for every handler of the application holds here. */
function operation(): void {}

type Next = (error?: unknown) => void;
type RouteRequest = BodyRequest & { readonly raw?: BodyRequest };

// Node's request and response have what core asks of a platform, but say so in other types.
const asRequest = (req: object) => req as ContextRequest;
const asResponse = (res: object) => res as ContextResponse;
