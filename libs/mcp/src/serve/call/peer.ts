import type { ClientFeature, McpClientInfo } from '../../mcp.definitions.js';
import type { StructuredForm } from '../../publish/schema/output-schema.js';
import type { Caller } from './caller.js';

/** A question to the client. The server sends the question as an MCP request. */
export interface Question {
  readonly feature: ClientFeature;
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  readonly params: Readonly<Record<string, unknown>>;
  /** Identifies the question within a call. Stays the same if the client repeats the request. */
  readonly key: string;
}

/** The client that sent a request. Each protocol version has its own implementation. */
export interface Peer {
  readonly caller: Caller;
  /** The protocol version of the client. */
  readonly revision: string;
  /** Name and version that the client reports about itself. */
  readonly client: McpClientInfo | undefined;
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** Form of structured content in the client's protocol version. */
  readonly structured: StructuredForm;
  /** Sends progress. Has no effect if the client did not request progress. */
  progress(progress: number, total?: number, message?: string): void;
  /** Sends a log message. Has no effect if the level is below the client's log level. */
  log(level: LogLevel, data: unknown, logger?: string): void;
  /**
   * @returns the client's answer, not validated
   * @throws McpInputRequiredError if the client sends the answer with another request
   */
  ask(question: Question, signal: AbortSignal): Promise<unknown>;
  /**
   * Tells the client that the user has finished on a page. Undefined for MCP 2026-07-28, which has
   * no message for this.
   */
  completed?(elicitationId: string): void;
  /** Records that a question requires a capability that the client did not declare. */
  lacks(question: Question): void;
  /** Closes the stream before the response. Returns false if the client cannot resume it. */
  closeStream(): boolean;
  /**
   * For MCP 2026-07-28: identifies the questions whose answers are in the request. If the client
   * repeats the request, the value is the same. Empty if there are no answers yet. Undefined for
   * other versions. In these versions, answers arrive while the call runs.
   */
  readonly round?: string | undefined;
  /**
   * For MCP 2026-07-28: questions that the client must answer before the server sends a result.
   * Undefined if there are none.
   */
  readonly demand: readonly Question[] | undefined;
  /** Undefined if the call cannot become a task. */
  startTask?(): Promise<boolean>;
  /** Registers a call that has started. If the client disconnects, the call is aborted. */
  started(call: Abortable): void;
}

export interface Abortable {
  /** Aborts the call. The request of the route emits `close`, as if a client had disconnected. */
  abort(): void;
}

/** A client that declares elicitation without a mode supports only forms. */
export function canBeAsked({ capabilities }: Peer, feature: ClientFeature): boolean {
  const [name, mode] = feature.split('.') as [string, string?];
  const declared = capabilities[name];
  if (typeof declared !== 'object' || declared === null) return false;
  if (mode !== undefined) return mode in declared;
  return feature !== 'elicitation' || 'form' in declared || !('url' in declared);
}

/** From the least to the most severe (syslog levels, RFC 5424 §6.2.1). */
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

export function reaches(level: LogLevel, threshold: LogLevel): boolean {
  return LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(threshold);
}
