import type { ClientFeature, McpClientInfo } from '../../mcp.definitions.js';
import type { StructuredForm } from '../../publish/schema/output-schema.js';
import type { Caller } from './caller.js';

/** A question to the client: an MCP request from the server. */
export interface Question {
  readonly feature: ClientFeature;
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  readonly params: Readonly<Record<string, unknown>>;
  /** Identifies the question within a call, in every round. */
  readonly key: string;
}

/**
 * The client of one request: who it is, and what can be sent to it. Each revision has an implementation.
 */
export interface Peer {
  readonly caller: Caller;
  /** The protocol version of the client. */
  readonly revision: string;
  /** Name and version that the client software reported. */
  readonly client: McpClientInfo | undefined;
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** What the revision of the client takes as structured content. */
  readonly structured: StructuredForm;
  /** Sends nothing if the client did not ask for progress. */
  progress(progress: number, total?: number, message?: string): void;
  /** Sends nothing below the level the client asked for. */
  log(level: LogLevel, data: unknown, logger?: string): void;
  /**
   * @returns the client's answer, not validated
   * @throws McpInputRequiredError if the answer comes with another request
   */
  ask(question: Question, signal: AbortSignal): Promise<unknown>;
  /** Tells the client that the user is done with a page. Undefined in 2026-07-28, which has no such message. */
  completed?(elicitationId: string): void;
  /** Records a question that the client lacks the capability for. */
  lacks(question: Question): void;
  /** Closes the event stream before the answer. Returns false if the client cannot resume it. */
  closeStream(): boolean;
  /**
   * Identifies the questions whose answers the request brings (2026-07-28): a client that sends its request again sends
   * the same. Empty if nobody asked. Undefined: answers come while the call runs.
   */
  readonly round?: string | undefined;
  /** The questions that a call of 2026-07-28 returns instead of a result; undefined if there are none. */
  readonly demand: readonly Question[] | undefined;
  /** Answers the client with a task; the call goes on. Undefined: the call can be no task. */
  startTask?(): Promise<boolean>;
  /** Called when the call has started. The call is aborted when the client disconnects. */
  started(call: Abortable): void;
}

/** A running call that can be aborted. */
export interface Abortable {
  /** Aborts the call. The handler's request emits 'close', as when a client disconnects. */
  abort(): void;
}

/** True if a client declared that it can be asked. Clients that declare no mode of elicitation have the form mode. */
export function canBeAsked({ capabilities }: Peer, feature: ClientFeature): boolean {
  const [name, mode] = feature.split('.') as [string, string?];
  const declared = capabilities[name];
  if (typeof declared !== 'object' || declared === null) return false;
  if (mode !== undefined) return mode in declared;
  return feature !== 'elicitation' || 'form' in declared || !('url' in declared);
}

/** Severities of MCP log messages, which are those of syslog (RFC 5424 §6.2.1), in ascending order. */
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

/** True if a message is at least as severe as the threshold. */
export function reaches(level: LogLevel, threshold: LogLevel): boolean {
  return LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(threshold);
}
