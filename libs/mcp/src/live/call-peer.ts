import type { LogLevel } from './log-level.js';

/** The software at the other end, as it introduced itself. */
export interface McpClientInfo {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
}

/** What can be asked of a client, if it declared the capability of that name. */
export type ClientFeature = 'elicitation' | 'sampling' | 'roots';

/** A question to the client: an MCP request the other way round. */
export interface ClientQuestion {
  readonly feature: ClientFeature;
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  readonly params: Readonly<Record<string, unknown>>;
  /** Tells the questions of a call apart; the same in every round. */
  readonly key: string;
}

/** The client of a call while the call lasts. Each revision and transport brings its own. */
export interface CallPeer {
  readonly info: McpClientInfo | undefined;
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** Sends nothing where the client did not ask for progress. */
  progress(progress: number, total?: number, message?: string): void;
  /** Sends nothing below the level the client asked for. */
  log(level: LogLevel, data: unknown, logger?: string): void;
  /**
   * @returns the client's answer, as it came
   * @throws McpInputRequiredError where the answer comes with another request
   */
  ask(question: ClientQuestion, signal: AbortSignal): Promise<unknown>;
  /** Notes a question that this client cannot be asked. */
  lacks(question: ClientQuestion): void;
  /** The questions a call of 2026-07-28 ends with in place of a result; undefined where it has one. */
  readonly demand: readonly ClientQuestion[] | undefined;
}

/** Whether a client declared that it can be asked. Of elicitation forms are meant, not URLs. */
export function canBeAsked({ capabilities }: CallPeer, feature: ClientFeature): boolean {
  const declared = capabilities[feature];
  if (typeof declared !== 'object' || declared === null) return false;
  return feature !== 'elicitation' || 'form' in declared || !('url' in declared);
}
