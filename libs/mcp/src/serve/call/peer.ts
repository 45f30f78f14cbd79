import type { ClientFeature, McpClientInfo } from '../../mcp.definitions.js';
import type { StructuredForm } from '../../publish/schema/output-schema.js';
import type { Caller } from './caller.js';

/** A question to the client: an MCP request from the server. */
export interface Question {
  readonly feature: ClientFeature;
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  readonly params: Readonly<Record<string, unknown>>;
  /** Identifies the question within a call. The same in every request of the call. */
  readonly key: string;
}

/**
 * The client of one request: its identity, and methods to send messages to it. Each protocol
 * version has an implementation.
 */
export interface Peer {
  readonly caller: Caller;
  /** The protocol version of the client. */
  readonly revision: string;
  /** Name and version reported by the client. */
  readonly client: McpClientInfo | undefined;
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** Format of structured content in the client's protocol version. */
  readonly structured: StructuredForm;
  /** Sends progress. Does nothing if the client did not request progress. */
  progress(progress: number, total?: number, message?: string): void;
  /** Sends a log message. Does nothing below the level that the client requested. */
  log(level: LogLevel, data: unknown, logger?: string): void;
  /**
   * Asks the client.
   * @returns the client's answer, not validated
   * @throws McpInputRequiredError if the client answers with another request
   */
  ask(question: Question, signal: AbortSignal): Promise<unknown>;
  /**
   * Tells the client that the user has finished with a page. Undefined in MCP 2026-07-28, which has
   * no such message.
   */
  completed?(elicitationId: string): void;
  /** Records a question that requires a capability the client lacks. */
  lacks(question: Question): void;
  /** Closes the event stream before the response. Returns false if the client cannot resume it. */
  closeStream(): boolean;
  /**
   * Identifies the questions whose answers are in the request (2026-07-28). A client that repeats
   * its request sends the same value. Empty if nothing was asked. Undefined if answers arrive while
   * the call runs.
   */
  readonly round?: string | undefined;
  /**
   * The questions that a call of MCP 2026-07-28 returns instead of a result. Undefined if there are
   * none.
   */
  readonly demand: readonly Question[] | undefined;
  /**
   * Returns a task to the client while the call continues. Undefined: the call cannot become a
   * task.
   */
  startTask?(): Promise<boolean>;
  /** Called when the call has started. The call is aborted when the client disconnects. */
  started(call: Abortable): void;
}

/** A running call that can be aborted. */
export interface Abortable {
  /** Aborts the call. The handler's request emits 'close', as when a client disconnects. */
  abort(): void;
}

/**
 * Returns true if a client declared that it can be asked. Clients that declare elicitation without
 * a mode support forms.
 */
export function canBeAsked({ capabilities }: Peer, feature: ClientFeature): boolean {
  const [name, mode] = feature.split('.') as [string, string?];
  const declared = capabilities[name];
  if (typeof declared !== 'object' || declared === null) return false;
  if (mode !== undefined) return mode in declared;
  return feature !== 'elicitation' || 'form' in declared || !('url' in declared);
}

/** Severities of MCP log messages in ascending order, as defined by syslog (RFC 5424 §6.2.1). */
export const LOG_LEVELS = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

export function isLogLevel(value: unknown): value is LogLevel {
  return (LOG_LEVELS as readonly unknown[]).includes(value);
}

/** Returns true if a message is at least as severe as the threshold. */
export function reaches(level: LogLevel, threshold: LogLevel): boolean {
  return LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(threshold);
}
