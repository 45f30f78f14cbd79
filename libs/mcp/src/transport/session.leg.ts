import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ResolvedMcpOptions } from '../mcp.defaults.js';
import type { ClientMessage } from '../protocol/json-rpc.js';
import type { SessionProtocol } from '../protocol/session.server.js';
import type { ToolCaller } from '../protocol/tool.caller.js';
import {
  alreadyInitialized,
  INVALID_MESSAGE,
  NOT_ACCEPTABLE_GET,
  NOT_INITIALIZED,
  type Refusal,
  refuse,
  SESSION_NOT_FOUND,
  SESSION_REQUIRED,
  unsupportedVersion,
} from './http.answers.js';
import { plainToolRequestOf } from './plain-tool-request.js';
import type { Session } from './session.js';
import { type Caller, SessionStore } from './session.store.js';

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

  async post(message: ClientMessage, caller: Caller, response: ServerResponse): Promise<void> {
    const plain = plainToolRequestOf(message);
    // The SDK drops what it does not take without a word: its sender would wait for ever.
    if (!plain && !this.protocol.isMessage(message.message)) {
      return refuse(response, INVALID_MESSAGE);
    }
    const found = this.isInitialize(message)
      ? await this.initialize(message, caller)
      : this.sessionOf(caller);
    if ('status' in found) return refuse(response, found);
    found.receive(message, plain, caller.request, response);
  }

  get(caller: Caller, response: ServerResponse): void {
    if (!caller.request.headers.accept?.includes('text/event-stream')) {
      return refuse(response, NOT_ACCEPTABLE_GET);
    }
    const found = this.sessionOf(caller);
    if ('status' in found) return refuse(response, found);
    found.listen(response);
  }

  async delete(caller: Caller, response: ServerResponse): Promise<void> {
    const found = this.sessionOf(caller);
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
  private async initialize({ message }: ClientMessage, caller: Caller): Promise<Session | Refusal> {
    const id = sessionIdOf(caller.request);
    const initialized = id !== undefined && this.sessions.find(id, caller) !== undefined;
    const session = initialized ? undefined : await this.sessions.open(caller);
    return session ?? alreadyInitialized((message as { id: string }).id, this.maxSessions);
  }

  /** The session a request names, or why it has none. */
  private sessionOf(caller: Caller): Session | Refusal {
    const id = sessionIdOf(caller.request);
    if (id === undefined) return this.sessions.size === 0 ? NOT_INITIALIZED : SESSION_REQUIRED;
    const session = this.sessions.find(id, caller);
    if (session === undefined) return SESSION_NOT_FOUND;

    const version = caller.request.headers['mcp-protocol-version'];
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
