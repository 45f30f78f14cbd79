import type { ResolvedResume } from './resume-options.js';

/**
 * Stores sessions for several processes, so any process can serve any session. Passes messages
 * between the processes. `redisSessions()` of `@fledge/mcp/redis` returns such a store.
 */
export interface McpSessionStore {
  /**
   * Connects an endpoint to the store. Called at startup, once for each endpoint. Each endpoint has
   * its own sessions.
   */
  connect(endpoint: McpSessionEndpoint): Promise<McpSharedSessions>;
}

/** The endpoint whose sessions are stored. */
export interface McpSessionEndpoint {
  /** Path of the endpoint, such as `/_mcp/messages`. The same in every process. */
  readonly path: string;
  /** Maximum number of open sessions in all processes. */
  readonly max: number;
  /**
   * Idle time in milliseconds after which a session may be closed to make room for a new client.
   */
  readonly reclaimAfterMs: number;
  /**
   * Milliseconds without a client message after which a session ends. Sessions with a running
   * request do not end.
   */
  readonly idleTimeoutMs: number;
  /** Limits for stored events. Undefined if streams cannot be resumed. */
  readonly resume: ResolvedResume | undefined;
  readonly receiver: McpSessionReceiver;
}

/** Functions that the store calls to notify a process. */
export interface McpSessionReceiver {
  /**
   * Receives a message from another process. The message belongs to a session that has a running
   * request or a stream in this process.
   */
  receive(sessionId: string, message: McpSessionMessage): void;
  /** A session ended, in this or another process. */
  ended(sessionId: string, why: McpSessionEnd): void;
  /** This process ended a session. The session timed out, or a new client needed the slot. */
  closed(session: McpClosedSession): void;
}

/** A message from one process to another. */
export type McpSessionMessage =
  /** The client answered a question. `message` is the JSON-RPC response. */
  | { readonly kind: 'answer'; readonly message: object }
  /** The client cancelled a request. */
  | { readonly kind: 'cancel'; readonly request: string | number }
  /**
   * JSON for the main stream of a session. The main stream does not belong to a request. `seq` is
   * the position of the message. `seq` is set only if streams can be resumed.
   */
  | { readonly kind: 'push'; readonly json: string; readonly seq?: number }
  /** An event of a stream that a client resumed in this process. */
  | { readonly kind: 'event'; readonly event: McpStreamEvent }
  /**
   * A client continued a stream on another connection, so the old connection loses the stream.
   * `which` is the old connection. `request`: the original connection of the request. `resumed`: a
   * connection that had resumed the stream.
   */
  | { readonly kind: 'moved'; readonly stream: string; readonly which: 'request' | 'resumed' }
  | { readonly kind: 'log-level'; readonly level: string };

/**
 * A message of an event stream. The message is stored, because a client may lose the connection.
 */
export interface McpStreamEvent {
  /** Id of the stream, unique in its session. */
  readonly stream: string;
  /** Position in the stream, starting with 1. */
  readonly seq: number;
  /** A JSON-RPC message. If empty, there is nothing to send. */
  readonly json: string;
  /** True for the last event of the stream. */
  readonly last: boolean;
}

/**
 * The reason for the end of a session. `deleted`: the client ended the session. `terminated`: the
 * server ended the session. `lost`: the store no longer contains the session.
 */
export type McpSessionEnd = 'deleted' | 'replaced' | 'timeout' | 'evicted' | 'terminated' | 'lost';

/** A session in the form in which the store keeps it. */
export interface McpStoredSession {
  readonly id: string;
  /** Name or digest of the principal that may use the session. Contains no credential. */
  readonly principal: string;
  /** The parameters of `initialize`, as JSON. */
  readonly client: string;
  /** The negotiated protocol version. */
  readonly revision: string;
  /** HTTP version of the request that opened the session. */
  readonly httpVersion: string;
}

/** A session that has ended, for metrics. */
export interface McpClosedSession {
  readonly id: string;
  readonly why: McpSessionEnd;
  readonly revision: string;
  readonly httpVersion: string;
  /** Duration of the session in milliseconds. */
  readonly ms: number;
}

/** The facts about a client message that the store needs. */
export interface McpEntrance {
  /**
   * The id of the request. Undefined if the message is not a request. The request runs in this
   * process until `leave()` is called.
   */
  readonly request: string | number | undefined;
  /** Id of the request's event stream, if the client can resume the stream. */
  readonly stream: string | undefined;
  /** True if the process needs the parameters of `initialize`. */
  readonly withClient: boolean;
}

/** The store's reply to a client message. */
export type McpEntry =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'duplicate' }
  | {
      readonly kind: 'entered';
      /** Undefined until the client sets a log level. */
      readonly logLevel: string | undefined;
      /** The parameters of `initialize`, as JSON. Undefined if `withClient` was false. */
      readonly client: string | undefined;
    };

/** The state of a main stream that a client opens. */
export interface McpListening {
  /** Position of the stream's latest event. */
  readonly seq: number;
  readonly missed: readonly McpStreamEvent[];
}

/**
 * The sessions of one endpoint, in all processes. Every operation is atomic. Promises reject if the
 * store cannot be reached.
 */
export interface McpSharedSessions {
  /** Name of this process: letters, digits, `-` and `_`. */
  readonly process: string;
  /** Number of open sessions in all processes. May be a few seconds old. */
  readonly size: number;
  /**
   * Opens a session with a running request. If `max` sessions are open, closes a session that may
   * be reclaimed. If there is no such session, opens no session.
   * @param replaced id of a session to end, if this session belongs to the same principal
   * @returns undefined if the session is open. Otherwise the milliseconds until a slot may be free
   */
  open(
    session: McpStoredSession,
    request: string | number,
    replaced: string | undefined,
  ): Promise<number | undefined>;
  /** Checks if the sender of a message may use the session. If so, marks the session as used. */
  enter(id: string, principal: string, entrance: McpEntrance): Promise<McpEntry>;
  /** Marks a request as finished. Does not wait for the store. */
  leave(id: string, request: string | number): void;
  /** Returns the name of the process that runs a request. */
  processOf(id: string, request: string | number): Promise<string | undefined>;
  /**
   * Opens the main stream of a session. If another connection has the main stream, that connection
   * loses it. The main stream does not belong to a request.
   * @param after position of the last event that the client received
   * @returns undefined if the session has ended. If `seq` is below `after`, the client's position
   * is invalid and the stream is not open
   */
  listen(id: string, after: number | undefined): Promise<McpListening | undefined>;
  /** Marks the main stream as closed. Does not wait for the store. */
  unlisten(id: string): void;
  /**
   * Sets the log level of a session in every process. The client receives no messages below this
   * level.
   */
  setLogLevel(id: string, level: string): Promise<void>;
  /**
   * Subscribes a session to a resource. Returns false if the session already has `most`
   * subscriptions.
   */
  subscribe(id: string, uri: string, most: number): Promise<boolean>;
  unsubscribe(id: string, uri: string): Promise<void>;
  /** Sends a message to all sessions that subscribed to a resource. */
  publish(uri: string, json: string): Promise<void>;
  /** Sends a message to a process. Returns false if that process does not receive messages. */
  send(process: string, id: string, message: McpSessionMessage): Promise<boolean>;
  /**
   * Stores an event. If another process resumed the event's stream, also sends the event to that
   * process. Does not wait for the store.
   */
  append(id: string, event: McpStreamEvent): void;
  /**
   * Continues a stream in this process. Later events of the stream are passed to `receive()`.
   * @returns the events after a position. Undefined if the stream does not exist, or if the stream
   * has no event with this position yet. If the stream has ended, the last event has `last: true`.
   * The `json` of this event may be empty
   */
  resume(id: string, stream: string, after: number): Promise<readonly McpStreamEvent[] | undefined>;
  /** Ends a session in every process. Returns undefined if there is no such session. */
  end(id: string, why: McpSessionEnd): Promise<McpClosedSession | undefined>;
  /**
   * Disconnects this process. The streams and requests of this process are removed from the store.
   * The sessions stay open.
   */
  close(): Promise<void>;
}
