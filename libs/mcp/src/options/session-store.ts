import type { ResolvedResume } from './resume-options.js';

/**
 * Keeps the sessions of several processes and carries messages between them: any process then serves any
 * session. `redisSessions()` of `@fledge/mcp/redis` returns one.
 */
export interface McpSessionStore {
  /** Called at boot, once for each endpoint. Sessions of two endpoints are kept apart. */
  connect(endpoint: McpSessionEndpoint): Promise<McpSharedSessions>;
}

/** The endpoint that the sessions belong to. */
export interface McpSessionEndpoint {
  /** Such as `/_mcp/messages`. The same in every process. */
  readonly path: string;
  /** Maximum number of open sessions, over all processes. */
  readonly max: number;
  /** Milliseconds after which an idle session may be closed for a new client. */
  readonly reclaimAfterMs: number;
  /** A session without a running request ends this many milliseconds after its last message. */
  readonly idleTimeoutMs: number;
  /** How long events are kept. Undefined: streams are not resumed. */
  readonly resume: ResolvedResume | undefined;
  readonly receiver: McpSessionReceiver;
}

/** What a store reports to a process. */
export interface McpSessionReceiver {
  /** A message of another process, about a session that runs a request or has a stream here. */
  receive(sessionId: string, message: McpSessionMessage): void;
  /** A session ended, in this or another process. */
  ended(sessionId: string, why: McpSessionEnd): void;
  /** This process ended a session whose time was up, or whose place went to another client. */
  closed(session: McpClosedSession): void;
}

/** A message from one process to another. */
export type McpSessionMessage =
  /** The client's answer to a question, as JSON-RPC. */
  | { readonly kind: 'answer'; readonly message: object }
  /** The client cancelled a request. */
  | { readonly kind: 'cancel'; readonly request: string | number }
  /** JSON for the stream that belongs to no request. `seq` is its position, if streams are resumed. */
  | { readonly kind: 'push'; readonly json: string; readonly seq?: number }
  /** An event of a stream that a connection here resumed. */
  | { readonly kind: 'event'; readonly event: McpStreamEvent }
  /**
   * Another connection resumed a stream. `which` loses it here: the connection of the request, or the one that
   * resumed it before.
   */
  | { readonly kind: 'moved'; readonly stream: string; readonly which: 'request' | 'resumed' }
  | { readonly kind: 'log-level'; readonly level: string };

/** A message of an event stream that is kept for clients that lose their connection. */
export interface McpStreamEvent {
  /** Unique in its session. */
  readonly stream: string;
  /** Position in the stream, from 1. */
  readonly seq: number;
  /** A JSON-RPC message. Empty: there is none to send. */
  readonly json: string;
  /** True for the last event of the stream. */
  readonly last: boolean;
}

/**
 * Why a session ended. `deleted`: by its client. `terminated`: by the server. `lost`: the store has no such session
 * any more.
 */
export type McpSessionEnd = 'deleted' | 'replaced' | 'timeout' | 'evicted' | 'terminated' | 'lost';

/** A session of a client, as the store keeps it. */
export interface McpStoredSession {
  readonly id: string;
  /** Who may use it: a name or a digest, never a credential. */
  readonly principal: string;
  /** JSON of the parameters of `initialize`. */
  readonly client: string;
  /** The revision of MCP that was negotiated. */
  readonly revision: string;
  /** Version of HTTP of the request that opened it. */
  readonly httpVersion: string;
}

/** A session that was closed, for metrics. */
export interface McpClosedSession {
  readonly id: string;
  readonly why: McpSessionEnd;
  readonly revision: string;
  readonly httpVersion: string;
  /** How long it was open. */
  readonly ms: number;
}

/** What a message of a client begins. */
export interface McpEntrance {
  /** Id of a request that runs here until `leave()`; undefined: the message is no request. */
  readonly request: string | number | undefined;
  /** Id of the event stream of the request, if it can be resumed. */
  readonly stream: string | undefined;
  /** Asks for the parameters of `initialize`. */
  readonly withClient: boolean;
}

/** The answer to a message of a client: whether it may use the session, and its state. */
export type McpEntry =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'duplicate' }
  | {
      readonly kind: 'entered';
      /** Undefined until the client set one. */
      readonly logLevel: string | undefined;
      /** JSON of the parameters of `initialize`; undefined if it was not asked for. */
      readonly client: string | undefined;
    };

/** Where the stream continues that belongs to no request. */
export interface McpListening {
  /** Position of its latest event. */
  readonly seq: number;
  readonly missed: readonly McpStreamEvent[];
}

/**
 * The sessions of one endpoint, shared by its processes. Each operation is atomic, and rejects if the store
 * cannot be reached.
 */
export interface McpSharedSessions {
  /** Names this process. Letters, digits, `-` and `_`. */
  readonly process: string;
  /** Number of open sessions of all processes, a few seconds old. */
  readonly size: number;
  /**
   * Opens a session that runs a request, unless `max` are open and none can be reclaimed.
   * @param replaced id of a session that ends if it belongs to the same principal
   * @returns milliseconds until there may be a place; undefined: it is open
   */
  open(
    session: McpStoredSession,
    request: string | number,
    replaced: string | undefined,
  ): Promise<number | undefined>;
  /** Admits a message of a client, and marks the session as used. */
  enter(id: string, principal: string, entrance: McpEntrance): Promise<McpEntry>;
  /** A request is over. Does not wait. */
  leave(id: string, request: string | number): void;
  /** The process that runs a request. */
  processOf(id: string, request: string | number): Promise<string | undefined>;
  /**
   * Takes the stream that belongs to no request, also from another connection.
   * @param after position of the last event that the client has
   * @returns undefined if the session has ended. If `seq` is below `after`, the event was never sent, and
   * the stream was not taken
   */
  listen(id: string, after: number | undefined): Promise<McpListening | undefined>;
  /** The stream of `listen()` is closed. Does not wait. */
  unlisten(id: string): void;
  /** Sets the lowest log level that the client wants, in every process. */
  setLogLevel(id: string, level: string): Promise<void>;
  /** Returns false if the session has `most` subscriptions. */
  subscribe(id: string, uri: string, most: number): Promise<boolean>;
  unsubscribe(id: string, uri: string): Promise<void>;
  /** Pushes a message to the clients that subscribed to a resource. */
  publish(uri: string, json: string): Promise<void>;
  /** Sends a message to a process. False if that process does not listen. */
  send(process: string, id: string, message: McpSessionMessage): Promise<boolean>;
  /** Keeps an event, and sends it to the process that resumed its stream. Does not wait. */
  append(id: string, event: McpStreamEvent): void;
  /**
   * Takes a stream. Its later events come to `receive()`.
   * @returns the events after a position; undefined if there is no such stream, or no event with this position yet.
   * For a stream that is over, an event with `last` is among them, whose `json` may be empty
   */
  resume(id: string, stream: string, after: number): Promise<readonly McpStreamEvent[] | undefined>;
  /** Ends a session in every process. Undefined if there is none. */
  end(id: string, why: McpSessionEnd): Promise<McpClosedSession | undefined>;
  /** This process leaves: its streams and requests no longer count. Sessions stay open. */
  close(): Promise<void>;
}
