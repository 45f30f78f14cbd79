import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { ResolvedMcpOptions } from '../mcp.defaults.js';
import { type ClientMessage, ErrorCode } from '../protocol/json-rpc.js';
import { loadSessionProtocol, type SessionProtocol } from '../protocol/session.server.js';
import { ToolCaller } from '../protocol/tool.caller.js';
import { authRefusal } from './bearer-auth.js';
import {
  alreadyInitialized,
  NOT_ACCEPTABLE_GET,
  NOT_ACCEPTABLE_POST,
  NOT_ALLOWED,
  NOT_INITIALIZED,
  type Refusal,
  refuse,
  SESSION_NOT_FOUND,
  SESSION_REQUIRED,
  unsupportedVersion,
} from './http.answers.js';
import { readMessage } from './message-reader.js';
import { originRefusal } from './origin-check.js';
import type { Session } from './session.js';
import { SessionStore } from './session.store.js';

/** What stands behind `{basePath}/messages` once the application is up. */
interface Service {
  readonly options: ResolvedMcpOptions;
  readonly protocol: SessionProtocol;
  readonly sessions: SessionStore;
}

/** The Streamable HTTP transport of MCP 2025-11-25 on Node's own request and response. */
@Injectable()
export class McpEndpoint implements OnModuleDestroy {
  private readonly logger = new Logger('McpModule');
  private service: Service | undefined;

  constructor(private readonly tools: ToolCaller) {}

  /** Loads the SDK and opens for sessions. Call it once, at boot. */
  async open(options: ResolvedMcpOptions): Promise<void> {
    const protocol = await loadSessionProtocol(options, this.tools);
    const sessions = new SessionStore(options.sessions, protocol, this.tools);
    this.service = { options, protocol, sessions };
  }

  /** Sessions open now. */
  get openSessions(): number {
    return this.service?.sessions.size ?? 0;
  }

  async onModuleDestroy(): Promise<void> {
    await this.service?.sessions.endAll();
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
    const { options } = service;
    const refusal =
      originRefusal(request, options) ??
      (options.auth && (await authRefusal(request, options.auth)));
    if (refusal) return refuse(response, refusal);

    switch (request.method) {
      case 'POST':
        return this.post(service, request, response);
      case 'GET':
        return this.get(service, request, response);
      case 'DELETE':
        return this.delete(service, request, response);
      default:
        return refuse(response, NOT_ALLOWED);
    }
  }

  private async post(service: Service, request: IncomingMessage, response: ServerResponse) {
    const { accept } = request.headers;
    if (!accept?.includes('application/json') || !accept.includes('text/event-stream')) {
      return refuse(response, NOT_ACCEPTABLE_POST);
    }
    const read = await readMessage(request, service.options.limits.requestBytes);
    if (read.kind === 'gone') return;
    if (read.kind === 'refused') return refuse(response, read.refusal);

    const found = isInitialize(service, read.message)
      ? await initialize(service, read.message, request)
      : sessionOf(service, request);
    if ('status' in found) return refuse(response, found);
    found.receive(read.message, request, response);
  }

  private get(service: Service, request: IncomingMessage, response: ServerResponse) {
    if (!request.headers.accept?.includes('text/event-stream')) {
      return refuse(response, NOT_ACCEPTABLE_GET);
    }
    const found = sessionOf(service, request);
    if ('status' in found) return refuse(response, found);
    found.listen(response);
  }

  private async delete(service: Service, request: IncomingMessage, response: ServerResponse) {
    const found = sessionOf(service, request);
    if ('status' in found) return refuse(response, found);
    await service.sessions.end(found);
    response.writeHead(200, { 'content-length': 0 });
    response.end();
  }
}

function isInitialize({ protocol }: Service, { kind, message }: ClientMessage): boolean {
  return kind === 'request' && message.method === 'initialize' && protocol.isInitialize(message);
}

/** The new session of an `initialize`, or why there is none: a client has one, a server `sessions.max`. */
async function initialize(
  { sessions, options }: Service,
  { message }: ClientMessage,
  request: IncomingMessage,
): Promise<Session | Refusal> {
  const id = sessionIdOf(request);
  const initialized = id !== undefined && sessions.find(id, request) !== undefined;
  const session = initialized ? undefined : await sessions.open(request);
  return session ?? alreadyInitialized((message as { id: string }).id, options.sessions.max);
}

/** The session a request names, or why it has none. */
function sessionOf({ sessions, protocol }: Service, request: IncomingMessage): Session | Refusal {
  const id = sessionIdOf(request);
  if (id === undefined) return sessions.size === 0 ? NOT_INITIALIZED : SESSION_REQUIRED;
  const session = sessions.find(id, request);
  if (session === undefined) return SESSION_NOT_FOUND;

  const version = request.headers['mcp-protocol-version'];
  if (version !== undefined && !protocol.supportedVersions.includes(String(version))) {
    return unsupportedVersion(String(version), protocol.supportedVersions);
  }
  return session;
}

function sessionIdOf({ headers }: IncomingMessage): string | undefined {
  const id = headers['mcp-session-id'];
  return id === undefined || id === '' ? undefined : String(id);
}
