import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { ResolvedMcpOptions } from '../mcp.defaults.js';
import {
  type ClientMessage,
  clientMessageOf,
  ErrorCode,
  type RequestId,
} from '../messages/json-rpc.js';
import { findsSessionSdk, loadSessionProtocol } from '../sessions/session-sdk.js';
import { findsStatelessSdk, loadStatelessProtocol } from '../stateless/http-handler.js';
import { Operations } from '../operations/operations.js';
import { admissionOf } from './bearer-auth.js';
import { type BodySource, type Read, readBody } from './body-reader.js';
import {
  BATCH_REFUSED,
  insufficientScope,
  INVALID_MESSAGE,
  NOT_ACCEPTABLE_POST,
  NOT_ALLOWED,
  NOT_INITIALIZED,
  SHUTTING_DOWN,
} from '../messages/refusals.js';
import { refuse } from './http-reply.js';
import type { HttpCaller } from './http-caller.js';
import { isGone, likeHttp1 } from './http2.js';
import { OnDemand } from '../operations/on-demand.js';
import { originRefusal } from './origin-check.js';
import { fastRequestOf } from '../stateless/stateless-fast-path.js';
import { SessionLeg } from './session.leg.js';
import { isOfThisEra, StatelessLeg } from './stateless.leg.js';
import { CLOSING_GRACE_MS } from '../messages/under-way.js';

/** What stands behind `{basePath}/messages` once the application is up. */
interface Service {
  readonly mcp: Operations;
  readonly options: ResolvedMcpOptions;
  /** Revisions up to 2025-11-25. */
  readonly sessions: SessionLeg;
  /** Revision 2026-07-28. */
  readonly stateless: StatelessLeg;
}

/** Streamable HTTP on Node's own request and response: one endpoint for every revision. */
@Injectable()
export class McpEndpoint implements OnModuleDestroy {
  private readonly logger = new Logger('McpModule');
  private service: Service | undefined;
  private closing = false;

  constructor(private readonly mcp: Operations) {}

  /**
   * Opens for clients. Call it once, at boot. An SDK is loaded with the first client that needs it.
   * @throws what Node.js throws for an SDK that is not installed
   */
  async open(options: ResolvedMcpOptions): Promise<void> {
    const { mcp } = this;
    const onError = (error: Error) => this.logger.debug(`A message was refused: ${error.message}`);
    const sessions = new OnDemand(() => loadSessionProtocol(options, mcp));
    const stateless = new OnDemand(() => loadStatelessProtocol(options, mcp, onError));
    // An application bundled into one file brings it along all the same; else the import fails, at boot.
    if (!findsSessionSdk()) await sessions.get();
    if (!findsStatelessSdk()) await stateless.get();
    this.service = {
      mcp,
      options,
      sessions: new SessionLeg(options, sessions, mcp),
      stateless: new StatelessLeg(options, stateless, mcp),
    };
  }

  /** Sessions open now. */
  get openSessions(): number {
    return this.service?.sessions.size ?? 0;
  }

  /** Tells the clients that asked for it that a resource changed. */
  resourceUpdated(uri: string): void {
    this.service?.sessions.resourceUpdated(uri);
    this.service?.stateless.resourceUpdated(uri);
  }

  /**
   * Ends the streams that would hold up the server's own closing, and waits for the calls under way.
   * Here, rather than when the server closes: what their routes use is still there.
   */
  async onModuleDestroy(): Promise<void> {
    const { service } = this;
    if (!service) return;
    this.closing = true;
    const limitMs = this.mcp.longestCallMs + CLOSING_GRACE_MS;
    await Promise.all([service.sessions.close(limitMs), service.stateless.close(limitMs)]);
    // The last answers are handed to the system before an application cuts its connections.
    await setImmediate();
  }

  /**
   * Answers a request to the endpoint, whatever it is.
   * @param body where its body is, unless on the request itself
   */
  handle(request: IncomingMessage, response: ServerResponse, body?: BodySource): void {
    this.answer(request, response, body).catch((error: unknown) => {
      this.logger.error('The MCP endpoint failed', error instanceof Error ? error.stack : error);
      if (response.headersSent) response.destroy();
      else
        refuse(response, { status: 500, code: ErrorCode.InternalError, message: 'Internal error' });
    });
  }

  private async answer(
    message: IncomingMessage,
    response: ServerResponse,
    body: BodySource | undefined,
  ): Promise<void> {
    if (isGone(response)) return;
    const request = likeHttp1(message);
    const { service } = this;
    if (!service) return refuse(response, NOT_INITIALIZED);
    if (this.closing && request.method !== 'DELETE') return refuse(response, SHUTTING_DOWN);
    const { options, sessions } = service;
    const refusal = originRefusal(request, options);
    if (refusal) return refuse(response, refusal);
    const admission = options.auth && (await admissionOf(request, options.auth));
    if (admission?.kind === 'refused') return refuse(response, admission.refusal);
    const caller: HttpCaller = { origin: request, principal: admission?.principal };

    if (request.method === 'POST') {
      const read = () => readBody(message, options.limits.requestBytes, body);
      return await post(service, caller, response, read);
    }
    // Revision 2026-07-28 has but POST.
    const revision = request.headers['mcp-protocol-version'];
    if (revision !== undefined && isOfThisEra(String(revision))) {
      return refuse(response, NOT_ALLOWED);
    }
    if (request.method === 'GET') return sessions.get(caller, response);
    if (request.method === 'DELETE') return sessions.delete(caller, response);
    return refuse(response, NOT_ALLOWED);
  }
}

async function post(
  { mcp, options, sessions, stateless }: Service,
  caller: HttpCaller,
  response: ServerResponse,
  readMessage: () => Promise<Read>,
): Promise<void> {
  const { origin: request } = caller;
  const { accept } = request.headers;
  if (!accept?.includes('application/json') || !accept.includes('text/event-stream')) {
    return refuse(response, NOT_ACCEPTABLE_POST);
  }
  const read = await readMessage();
  if (read.kind === 'gone') return;
  if (read.kind === 'refused') return refuse(response, read.refusal);
  if (Array.isArray(read.body)) return refuse(response, BATCH_REFUSED);

  const message = clientMessageOf(read.body);
  const scopes = await mcp.scopesFor(message?.message, caller);
  if (message && !hasScopes(caller, scopes)) {
    return refuse(response, insufficientScope(scopes, options.auth?.metadataUrl, idOf(message)));
  }
  // Asked first: the SDK needs longer to tell the eras apart than all else here does.
  const plain = message && fastRequestOf(message, request);
  if (
    plain ||
    (stateless.mayOwn(read.body, request) && (await stateless.owns(read.body, request)))
  ) {
    return await stateless.post(read.body, plain, caller, response);
  }
  if (message === undefined) return refuse(response, INVALID_MESSAGE);
  return await sessions.post(message, caller, response);
}

function hasScopes({ principal }: HttpCaller, scopes: readonly string[]): boolean {
  return scopes.every((scope) => principal?.scopes?.includes(scope));
}

function idOf({ message }: ClientMessage): RequestId | undefined {
  return 'id' in message ? message.id : undefined;
}
