import type { ResolvedResume } from './resume-options.js';

/**
 * Stores the sessions of several processes and passes messages between the processes, so any
 * process can serve any session. `redisSessions()` of `@fledge/mcp/redis` returns such a store.
 */
export interface McpSessionStore {
  /**
   * Connects an endpoint. Called at startup, once for each endpoint. The sessions of different
   * endpoints are separate.
   */
  connect(endpoint: McpSessionEndpoint): Promise<McpSharedSessions>;
}

/** The endpoint whose sessions are stored. */
export interface McpSessionEndpoint {
  /** Path of the endpoint, such as `/_mcp/messages`. The same in every process. */
  readonly path: string;
  /** Maximum number of open sessions in all processes. */
  readonly max: number;
  /** Milliseconds after which an idle session may be closed for a new client. */
  readonly reclaimAfterMs: number;
  /** Milliseconds without a message after which a session ends, unless a request is running. */
  readonly idleTimeoutMs: number;
  /** How long events are stored. Undefined: streams cannot be resumed. */
  readonly resume: ResolvedResume | undefined;
  readonly receiver: McpSessionReceiver;
}

/** Functions that a store calls in a process. */
export interface McpSessionReceiver {
  /**
   * Receives a message from another process about a session that has a running request or a stream
   * in this process.
   */
  receive(sessionId: string, message: McpSessionMessage): void;
  /** A session ended, in this or another process. */
  ended(sessionId: string, why: McpSessionEnd): void;
  /** This process ended a session because it timed out, or because a new client needed its slot. */
  closed(session: McpClosedSession): void;
}

/** A message from one process to another. */
export type McpSessionMessage =
  /** The client's answer to a question, as JSON-RPC. */
  | { readonly kind: 'answer'; readonly message: object }
  /** The client cancelled a request. */
  | { readonly kind: 'cancel'; readonly request: string | number }
  /**
   * JSON for the main stream of a session, which does not belong to a request. `seq` is the
   * position of the message if streams can be resumed.
   */
  | { readonly kind: 'push'; readonly json: string; readonly seq?: number }
  /** An event of a stream that a client resumed in this process. */
  | { readonly kind: 'event'; readonly event: McpStreamEvent }
  /**
   * A client resumed a stream on another connection. `which` is the connection that loses the
   * stream: the connection of the request, or the connection that resumed the stream before.
   */
  | { readonly kind: 'moved'; readonly stream: string; readonly which: 'request' | 'resumed' }
  | { readonly kind: 'log-level'; readonly level: string };

/** A message of an event stream, stored for clients that lose their connection. */
export interface McpStreamEvent {
  /** Id of the stream, unique in its session. */
  readonly stream: string;
  /** Position in the stream, starting with 1. */
  readonly seq: number;
  /** A JSON-RPC message. Empty: nothing to send. */
  readonly json: string;
  /** True for the last event of the stream. */
  readonly last: boolean;
}

/**
 * Why a session ended. `deleted`: by its client. `terminated`: by the server. `lost`: the session
 * no longer exists in the store.
 */
export type McpSessionEnd = 'deleted' | 'replaced' | 'timeout' | 'evicted' | 'terminated' | 'lost';

/** A session as the store keeps it. */
export interface McpStoredSession {
  readonly id: string;
  /** Name or digest of the principal that may use the session. Never a credential. */
  readonly principal: string;
  /** JSON of the parameters of `initialize`. */
  readonly client: string;
  /** The negotiated protocol version. */
  readonly revision: string;
  /** HTTP version of the request that opened the session. */
  readonly httpVersion: string;
}

/** A closed session, for metrics. */
export interface McpClosedSession {
  readonly id: string;
  readonly why: McpSessionEnd;
  readonly revision: string;
  readonly httpVersion: string;
  /** Duration of the session in milliseconds. */
  readonly ms: number;
}

/** Describes a client message when it enters a session. */
export interface McpEntrance {
  /**
   * Id of a request that runs in this process until `leave()`. Undefined if the message is not a
   * request.
   */
  readonly request: string | number | undefined;
  /** Id of the event stream of the request, if it can be resumed. */
  readonly stream: string | undefined;
  /** True if the parameters of `initialize` are needed. */
  readonly withClient: boolean;
}

/** Whether a client may use the session, and the state of the session. */
export type McpEntry =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'duplicate' }
  | {
      readonly kind: 'entered';
      /** Undefined until the client sets a log level. */
      readonly logLevel: string | undefined;
      /** JSON of the parameters of `initialize`. Undefined if it was not requested. */
      readonly client: string | undefined;
    };

/** The position from which the main stream of a session continues. */
export interface McpListening {
  /** Position of the latest event. */
  readonly seq: number;
  readonly missed: readonly McpStreamEvent[];
}

/**
 * The sessions of one endpoint, shared by its processes. Each operation is atomic, and rejects if
 * the store cannot be reached.
 */
export interface McpSharedSessions {
  /** Name of this process: letters, digits, `-` and `_`. */
  readonly process: string;
  /** Number of open sessions in all processes. May be a few seconds old. */
  readonly size: number;
  /**
   * Opens a session with a running request, unless `max` sessions are open and none can be
   * reclaimed.
   * @param replaced id of a session that ends if it belongs to the same principal
   * @returns undefined if the session is open, or the milliseconds until a slot may be free
   */
  open(
    session: McpStoredSession,
    request: string | number,
    replaced: string | undefined,
  ): Promise<number | undefined>;
  /** Checks whether a client message may use the session, and marks the session as used. */
  enter(id: string, principal: string, entrance: McpEntrance): Promise<McpEntry>;
  /** Marks a request as finished. Does not wait for the store. */
  leave(id: string, request: string | number): void;
  /** Returns the process that runs a request. */
  processOf(id: string, request: string | number): Promise<string | undefined>;
  /**
   * Opens the main stream of a session, which does not belong to a request, or takes it over from
   * another connection.
   * @param after position of the last event that the client received
   * @returns undefined if the session has ended. If `seq` is below `after`, the client sent an
   * invalid position, and the stream was not opened
   */
  listen(id: string, after: number | undefined): Promise<McpListening | undefined>;
  /** Marks the stream of `listen()` as closed. Does not wait for the store. */
  unlisten(id: string): void;
  /** Sets the lowest log level that the client wants, in every process. */
  setLogLevel(id: string, level: string): Promise<void>;
  /**
   * Subscribes a session to a resource. Returns false if the session already has `most`
   * subscriptions.
   */
  subscribe(id: string, uri: string, most: number): Promise<boolean>;
  unsubscribe(id: string, uri: string): Promise<void>;
  /** Sends a message to all clients that subscribed to a resource. */
  publish(uri: string, json: string): Promise<void>;
  /** Sends a message to a process. Returns false if the process is not listening. */
  send(process: string, id: string, message: McpSessionMessage): Promise<boolean>;
  /**
   * Stores an event, and sends it to the process that resumed its stream. Does not wait for the
   * store.
   */
  append(id: string, event: McpStreamEvent): void;
  /**
   * Resumes a stream in this process. Later events of the stream are passed to `receive()`.
   * @returns the events after a position; undefined if there is no such stream, or no event with
   * this position yet. If the stream has ended, an event has `last` set, and its `json` may be
   * empty
   */
  resume(id: string, stream: string, after: number): Promise<readonly McpStreamEvent[] | undefined>;
  /** Ends a session in every process. Returns undefined if there is no such session. */
  end(id: string, why: McpSessionEnd): Promise<McpClosedSession | undefined>;
  /**
   * Disconnects this process. The streams and requests of this process no longer count. Its
   * sessions stay open.
   */
  close(): Promise<void>;
}
