import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ResolvedMcpOptions } from '../mcp.defaults.js';
import type { ClientMessage } from '../protocol/json-rpc.js';
import type { SessionProtocol } from '../protocol/session.server.js';
import type { ToolCaller } from '../protocol/tool.caller.js';
import {
  alreadyInitialized,
  NOT_ACCEPTABLE_GET,
  NOT_INITIALIZED,
  type Refusal,
  refuse,
  SESSION_NOT_FOUND,
  SESSION_REQUIRED,
  unsupportedVersion,
} from './http.answers.js';
import type { Session } from './session.js';
import { SessionStore } from './session.store.js';

/** Serves clients of the revisions up to 2025-11-25, each in its session. */
export class SessionLeg {
  private readonly sessions: SessionStore;
  private readonly maxSessions: number;

  constructor(
    options: ResolvedMcpOptions,
    private readonly protocol: SessionProtocol,
    tools: ToolCaller,
  ) {
    this.sessions = new SessionStore(options.sessions, protocol, tools);
    this.maxSessions = options.sessions.max;
  }

  /** Sessions open now. */
  get size(): number {
    return this.sessions.size;
  }

  async post(
    message: ClientMessage,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const found = this.isInitialize(message)
      ? await this.initialize(message, request)
      : this.sessionOf(request);
    if ('status' in found) return refuse(response, found);
    found.receive(message, request, response);
  }

  get(request: IncomingMessage, response: ServerResponse): void {
    if (!request.headers.accept?.includes('text/event-stream')) {
      return refuse(response, NOT_ACCEPTABLE_GET);
    }
    const found = this.sessionOf(request);
    if ('status' in found) return refuse(response, found);
    found.listen(response);
  }

  async delete(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const found = this.sessionOf(request);
    if ('status' in found) return refuse(response, found);
    await this.sessions.end(found);
    response.writeHead(200, { 'content-length': 0 });
    response.end();
  }

  close(): Promise<void> {
    return this.sessions.endAll();
  }

  private isInitialize({ kind, message }: ClientMessage): boolean {
    return (
      kind === 'request' && message.method === 'initialize' && this.protocol.isInitialize(message)
    );
  }

  /** The new session of an `initialize`, or why there is none: a client has one, a server `sessions.max`. */
  private async initialize(
    { message }: ClientMessage,
    request: IncomingMessage,
  ): Promise<Session | Refusal> {
    const id = sessionIdOf(request);
    const initialized = id !== undefined && this.sessions.find(id, request) !== undefined;
    const session = initialized ? undefined : await this.sessions.open(request);
    return session ?? alreadyInitialized((message as { id: string }).id, this.maxSessions);
  }

  /** The session a request names, or why it has none. */
  private sessionOf(request: IncomingMessage): Session | Refusal {
    const id = sessionIdOf(request);
    if (id === undefined) return this.sessions.size === 0 ? NOT_INITIALIZED : SESSION_REQUIRED;
    const session = this.sessions.find(id, request);
    if (session === undefined) return SESSION_NOT_FOUND;

    const version = request.headers['mcp-protocol-version'];
    if (version !== undefined && !this.protocol.supportedVersions.includes(String(version))) {
      return unsupportedVersion(String(version), this.protocol.supportedVersions);
    }
    return session;
  }
}

function sessionIdOf({ headers }: IncomingMessage): string | undefined {
  const id = headers['mcp-session-id'];
  return id === undefined || id === '' ? undefined : String(id);
}
