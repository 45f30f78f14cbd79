import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { ResolvedMcpOptions } from '../mcp.defaults.js';
import { clientMessageOf, ErrorCode } from '../protocol/json-rpc.js';
import { loadSessionProtocol } from '../protocol/session.server.js';
import { loadStatelessProtocol } from '../protocol/stateless.server.js';
import { ToolCaller } from '../protocol/tool.caller.js';
import { admissionOf } from './bearer-auth.js';
import { readBody } from './body-reader.js';
import {
  BATCH_REFUSED,
  INVALID_MESSAGE,
  NOT_ACCEPTABLE_POST,
  NOT_ALLOWED,
  NOT_INITIALIZED,
  refuse,
} from './http.answers.js';
import { originRefusal } from './origin-check.js';
import { plainRequestOf } from './plain-request.js';
import { SessionLeg } from './session.leg.js';
import type { Caller } from './session.store.js';
import { isOfThisEra, StatelessLeg } from './stateless.leg.js';

/** What stands behind `{basePath}/messages` once the application is up. */
interface Service {
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

  constructor(private readonly tools: ToolCaller) {}

  /** Loads the SDKs and opens for clients. Call it once, at boot. */
  async open(options: ResolvedMcpOptions): Promise<void> {
    const { tools } = this;
    const onError = (error: Error) => this.logger.debug(`A message was refused: ${error.message}`);
    const sessions = await loadSessionProtocol(options, tools);
    const stateless = await loadStatelessProtocol(options, tools, onError);
    this.service = {
      options,
      sessions: new SessionLeg(options, sessions, tools),
      stateless: new StatelessLeg(options, stateless, tools),
    };
  }

  /** Sessions open now. */
  get openSessions(): number {
    return this.service?.sessions.size ?? 0;
  }

  async onModuleDestroy(): Promise<void> {
    await this.service?.sessions.close();
    await this.service?.stateless.close();
  }

  /** Answers a request to the endpoint, whatever it is. */
  handle(request: IncomingMessage, response: ServerResponse): void {
    this.answer(request, response).catch((error: unknown) => {
      this.logger.error('The MCP endpoint failed', error instanceof Error ? error.stack : error);
      if (response.headersSent) response.destroy();
      else
        refuse(response, { status: 500, code: ErrorCode.InternalError, message: 'Internal error' });
    });
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { service } = this;
    if (!service) return refuse(response, NOT_INITIALIZED);
    const { options, sessions } = service;
    const refusal = originRefusal(request, options);
    if (refusal) return refuse(response, refusal);
    const admission = options.auth && (await admissionOf(request, options.auth));
    if (admission?.kind === 'refused') return refuse(response, admission.refusal);
    const caller: Caller = { request, principal: admission?.principal };

    if (request.method === 'POST') return await post(service, caller, response);
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
  { options, sessions, stateless }: Service,
  caller: Caller,
  response: ServerResponse,
): Promise<void> {
  const { request } = caller;
  const { accept } = request.headers;
  if (!accept?.includes('application/json') || !accept.includes('text/event-stream')) {
    return refuse(response, NOT_ACCEPTABLE_POST);
  }
  const read = await readBody(request, options.limits.requestBytes);
  if (read.kind === 'gone') return;
  if (read.kind === 'refused') return refuse(response, read.refusal);
  if (Array.isArray(read.body)) return refuse(response, BATCH_REFUSED);

  const message = clientMessageOf(read.body);
  // Asked first: the SDK needs longer to tell the eras apart than all else here does.
  const plain = message && plainRequestOf(message, request);
  if (plain || stateless.owns(read.body, request)) {
    return await stateless.post(read.body, plain, request, response);
  }
  if (message === undefined) return refuse(response, INVALID_MESSAGE);
  return await sessions.post(message, caller, response);
}
