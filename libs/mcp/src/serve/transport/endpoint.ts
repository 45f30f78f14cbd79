import { AsyncResource } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import {
  acceptedRanges,
  acceptedWeight,
  type CallerTenant,
  type JsonBody,
} from '@fledge/core/packages';
import { Logger } from '@nestjs/common';
import { type Caller, callerOf, withoutSession } from '../call/caller.js';
import { callOfRequest } from '../call/call-of-request.js';
import type { EndpointOptions } from '../../mcp.defaults.js';
import type { McpPrincipal } from '../../options/auth-options.js';
import { clientMessageOf } from '../protocol/json-rpc.js';
import {
  BATCH_REFUSED,
  INTERNAL_ERROR,
  INVALID_MESSAGE,
  NOT_ACCEPTABLE_POST,
  NOT_ALLOWED,
  NOT_INITIALIZED,
  type Refusal,
  SHUTTING_DOWN,
} from '../protocol/refusals.js';
import type { Reply } from '../protocol/reply.js';
import type { Operations } from '../methods/operations.js';
import { Sessions } from '../revisions/2025-11-25/registry/sessions.js';
import { isStateless, isStatelessMessage } from '../revisions/message-revision.js';
import { Stateless } from '../revisions/2026-07-28/stateless.js';
import { admissionFor, type Admit } from '../auth/bearer-auth.js';
import { bodyRefusal, type BodySource, readBody } from './body-reader.js';
import { answerPreflight, originRefusal } from './origin-check.js';
import { HttpReply } from './http-reply.js';
import { isGone, likeHttp1 } from './http2.js';

/** Exists from startup. */
interface Service {
  readonly operations: Operations;
  /** Serves protocol versions up to 2025-11-25. */
  readonly sessions: Sessions;
  /** Serves protocol version 2026-07-28. */
  readonly stateless: Stateless;
}

interface Incoming {
  /** The original request of Node.js. */
  readonly message: IncomingMessage;
  /** The same request in HTTP/1.1 form. */
  readonly request: IncomingMessage;
  readonly reply: Reply;
  /** The place of the body, if the body is not on `message`. */
  readonly body: BodySource | undefined;
  /** Runs code that an event calls. If it fails, logs the error and sends a response. */
  readonly run: (step: () => Done) => void;
}

/** A promise only if the step has to wait. */
type Done = void | Promise<void>;

/**
 * One endpoint of the Streamable HTTP transport, for all protocol versions. The endpoint works with
 * the request and response of Node.js. The methods return a promise only if they have to wait,
 * because promises are the largest part of the cost of a valid call.
 */
export class McpEndpoint {
  private readonly logger = new Logger('McpModule');
  private service: Service | undefined;
  private closing = false;
  /** Undefined if the option `auth` is not set. */
  private checkToken: Admit | undefined;

  constructor(private readonly options: EndpointOptions) {}

  /** Call this once, at startup. */
  async open(operations: Operations): Promise<void> {
    const { options } = this;
    if (options.sessions.store && options.stateSecret === undefined) this.logger.warn(OWN_SECRET);
    this.checkToken = options.auth && (await admissionFor(options.auth, options.path));
    this.service = {
      operations,
      sessions: await Sessions.connect(options, operations),
      stateless: new Stateless(options, operations),
    };
  }

  get path(): string {
    return this.options.path;
  }

  /** True if requests arrive before Express or Fastify receives them. */
  get isDirect(): boolean {
    return this.options.direct;
  }

  get openSessions(): number {
    return this.service?.sessions.size ?? 0;
  }

  /** For the panel. Undefined before startup. */
  get sessions(): Sessions | undefined {
    return this.service?.sessions;
  }

  resourceUpdated(uri: string): void {
    this.service?.sessions.resourceUpdated(uri);
    this.service?.stateless.resourceUpdated(uri);
  }

  /** Ends streams first, because open streams would delay closing the server. */
  async close(): Promise<void> {
    const { service } = this;
    if (!service) return;
    this.closing = true;
    const { operations, sessions, stateless } = service;
    await operations.close((limitMs) =>
      Promise.all([sessions.close(limitMs), stateless.close(limitMs)]),
    );
    // Node.js sends the last responses during this wait. Then the application closes its
    // connections.
    await setImmediate();
  }

  /** Handles a request before the application's middleware. Only used with `direct: true`. */
  handleDirectly(message: IncomingMessage, response: ServerResponse): void {
    if (isGone(response)) return;
    response.setHeader('x-content-type-options', 'nosniff');
    if (!answerPreflight(likeHttp1(message), response, this.options))
      this.handle(message, response);
  }

  /** @param body the place of the body, if the body is not on the request of Node.js */
  handle(message: IncomingMessage, response: ServerResponse, body?: BodySource): void {
    if (isGone(response)) return;
    const request = likeHttp1(message);
    const reply = new HttpReply(request, response);
    reply.clean = this.service?.operations.clean;
    const call = callOfRequest(message);
    if (call !== undefined) {
      // A tool call reached the endpoint, because its arguments produced the endpoint's URL.
      call.misroute();
      return reply.refuse(NOT_ALLOWED);
    }
    const run = (step: () => Done) => {
      try {
        const done = step();
        if (done instanceof Promise) done.catch(failed);
      } catch (error) {
        failed(error);
      }
    };
    const failed = (error: unknown) => {
      this.logger.error('The MCP endpoint failed', error instanceof Error ? error.stack : error);
      if (response.headersSent) response.destroy();
      else reply.refuse(INTERNAL_ERROR);
    };
    run(() => this.admit({ message, request, reply, body, run }));
  }

  private admit(incoming: Incoming): Done {
    const { service, options } = this;
    const { request, reply } = incoming;
    if (!service) return reply.refuse(NOT_INITIALIZED);
    if (this.closing && request.method !== 'DELETE') return reply.refuse(SHUTTING_DOWN);
    const refusal = originRefusal(request, options);
    if (refusal) return reply.refuse(refusal);
    if (!this.checkToken) return this.serve(incoming, service, undefined);
    return this.checkToken(request).then((admission) =>
      admission.kind === 'refused'
        ? this.refuse(incoming, service, admission.refusal)
        : this.serve(incoming, service, admission.principal),
    );
  }

  private refuse({ request, reply }: Incoming, { operations }: Service, refusal: Refusal): void {
    const { watches } = operations;
    if (request.method === 'POST') watches.watchRefused(request, this.options.path, reply);
    reply.refuse(refusal);
  }

  private serve(incoming: Incoming, service: Service, principal: McpPrincipal | undefined): Done {
    const { request, reply } = incoming;
    const { pickHeaders, tenants } = service.operations;
    if (!isAllowed(request)) return reply.refuse(NOT_ALLOWED);
    const serveFor = (tenant: CallerTenant) => {
      const caller = callerOf(request, pickHeaders, this.options.path, { principal, tenant });
      if (request.method === 'POST') return this.post(incoming, caller, service);
      if (request.method === 'GET') return service.sessions.get(caller, reply);
      return service.sessions.delete(caller, reply);
    };
    const tenant = tenants.identify(request);
    return tenant instanceof Promise ? tenant.then(serveFor) : serveFor(tenant);
  }

  private post(incoming: Incoming, caller: Caller, service: Service): void {
    const { message, request, reply, body, run } = incoming;
    if (!takesAnswers(request.headers.accept)) return reply.refuse(NOT_ACCEPTABLE_POST);
    const { visible } = this.options;
    const limit = this.options.limits.requestBytes;
    const isWatched = service.operations.watches.any;
    const post = { reply, caller, limit, isWatched };
    const next = (read: JsonBody) => run(() => receive(read, post, service));
    // The function `visible` and traces need the async context that the application's middleware
    // opened.
    const needsContext = visible !== undefined || isWatched;
    readBody(message, limit, body, needsContext ? AsyncResource.bind(next) : next);
  }
}

const OWN_SECRET =
  'Sessions are shared, but `stateSecret` is not set. Clients of MCP 2026-07-28 can answer a question ' +
  'only at the process that asked. Set the same McpModule.forRoot({ stateSecret }) in all processes.';

/** In MCP 2026-07-28, only POST is allowed. */
function isAllowed({ method, headers }: IncomingMessage): boolean {
  if (method === 'POST') return true;
  const { 'mcp-protocol-version': revision } = headers;
  if (revision !== undefined && isStateless(String(revision))) return false;
  return method === 'GET' || method === 'DELETE';
}

/** The value of `Accept` that most clients send. */
const BOTH = 'application/json, text/event-stream';

/**
 * Returns true if a client accepts both JSON and event streams. Clients must accept both in a POST.
 * Without the header `Accept`, any media type is accepted (RFC 9110 §12.5.1).
 */
function takesAnswers(accept: string | undefined): boolean {
  if (accept === undefined || accept === BOTH) return true;
  const ranges = acceptedRanges(accept);
  return BOTH.split(', ').every((type) => acceptedWeight(ranges, type) > 0);
}

interface Post {
  readonly reply: Reply;
  readonly caller: Caller;
  /** Maximum size of the body in bytes. */
  readonly limit: number;
  /** True if calls are observed or traced. */
  readonly isWatched: boolean;
}

/** Messages of MCP 2026-07-28 go to `stateless`, all other messages to `sessions`. */
function receive(
  read: JsonBody,
  { reply, caller: outer, limit, isWatched }: Post,
  { operations, sessions, stateless }: Service,
): Done {
  // The client disconnected before the whole message had arrived.
  if (read.fault === 'gone') return;
  if (read.fault) return reply.refuse(bodyRefusal(read.fault, limit));
  if (Array.isArray(read.body)) return reply.refuse(BATCH_REFUSED);

  const sent = clientMessageOf(read.body);
  const rewritten = operations.rewrite(sent, outer);
  const message = rewritten?.message ?? sent;
  const given = rewritten?.caller ?? outer;
  const hasSession = !isStatelessMessage(message, given.origin.headers);
  // Nothing checks the session id of a message without a session. It may belong to another client.
  const sender = hasSession ? given : withoutSession(given);
  const caller = isWatched ? operations.watches.watch(message, sender, reply) : sender;
  if (!hasSession) return stateless.post(message, read.body, caller, reply);
  return message ? sessions.post(message, caller, reply) : reply.refuse(INVALID_MESSAGE);
}
