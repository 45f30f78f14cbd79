import type { ClientFeature, McpClientInfo } from '../mcp.definitions.js';
import type { Caller } from './caller.js';

/** A question to the client: an MCP request the other way round. */
export interface Question {
  readonly feature: ClientFeature;
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  readonly params: Readonly<Record<string, unknown>>;
  /** Tells the questions of a call apart; the same in every round. */
  readonly key: string;
}

/** The client of one request: who it is, what can be sent to it and asked. Each revision has its own. */
export interface Peer {
  readonly caller: Caller;
  /** The software at the other end, as it introduced itself. */
  readonly client: McpClientInfo | undefined;
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** Sends nothing where the client did not ask for progress. */
  progress(progress: number, total?: number, message?: string): void;
  /** Sends nothing below the level the client asked for. */
  log(level: LogLevel, data: unknown, logger?: string): void;
  /**
   * @returns the client's answer, as it came
   * @throws McpInputRequiredError where the answer comes with another request
   */
  ask(question: Question, signal: AbortSignal): Promise<unknown>;
  /** Notes a question that this client cannot be asked. */
  lacks(question: Question): void;
  /** The questions a call of 2026-07-28 ends with in place of a result; undefined where it has one. */
  readonly demand: readonly Question[] | undefined;
  /** Called when the call runs. The owner of the request keeps it, to end it when the client leaves. */
  started(call: Abortable): void;
}

/** What can be ended from outside. */
export interface Abortable {
  /** Aborts the call. The handler's request emits 'close', as when a client disconnects. */
  abort(): void;
}

/** Aborts a call when a signal fires. */
export function abortOn(signal: AbortSignal, call: Abortable): void {
  if (signal.aborted) call.abort();
  else signal.addEventListener('abort', () => call.abort(), { once: true });
}

/** Whether a client declared that it can be asked. Of elicitation forms are meant, not URLs. */
export function canBeAsked({ capabilities }: Peer, feature: ClientFeature): boolean {
  const declared = capabilities[feature];
  if (typeof declared !== 'object' || declared === null) return false;
  return feature !== 'elicitation' || 'form' in declared || !('url' in declared);
}

/** Severities of MCP log messages, which are those of syslog (RFC 5424 §6.2.1), the least first. */
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

/** Whether a message is severe enough for who asked for a level and above. */
export function reaches(level: LogLevel, threshold: LogLevel): boolean {
  return LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(threshold);
}
