/** A JSON Schema object. */
export type Schema = Readonly<Record<string, unknown>>;

/** A tool as `tools/list` returns it. */
export interface CheckedTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: Schema;
  readonly outputSchema?: Schema | undefined;
  readonly annotations?: Readonly<Record<string, unknown>> | undefined;
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
}

/** A server as a client sees it. */
export interface CheckedServer {
  /** The name that the server reports. */
  readonly name: string;
  readonly instructions?: string | undefined;
  /** The protocol version of the list. @default '2026-07-28' */
  readonly protocolVersion?: string | undefined;
  readonly tools: readonly CheckedTool[];
}

/** Where a rule is broken. Without `tool`: the server. */
export interface CheckPlace {
  readonly tool?: string;
  /** Path of the property in the input schema, such as `order.lines`. */
  readonly parameter?: string;
  /** A fact, such as `68 characters`. */
  readonly detail?: string;
}

/** `error`: a client or directory rejects or drops something. `warning`: it works less well. */
export type CheckSeverity = 'error' | 'warning' | 'info';

/** The clients, directories and scanners with rules. `claude` and `openai` are apps and directories. */
export const CHECKED_CLIENTS = [
  'claude',
  'claude-code',
  'openai',
  'cursor',
  'copilot',
  'gemini',
  'amazon-q',
  'windsurf',
  'zed',
  'codex',
  'scanners',
] as const;

/** A client, directory or scanner whose rules can be checked. */
export type CheckedClient = (typeof CHECKED_CLIENTS)[number];

/** A broken rule, with all places. */
export interface CheckFinding {
  /** Id of the rule, such as `N1`. */
  readonly rule: string;
  readonly severity: CheckSeverity;
  /** Whose rule it is. */
  readonly clients: readonly CheckedClient[];
  /** What is wrong, as a sentence. */
  readonly text: string;
  readonly fix: string;
  /** Where the rule was found, and when: these limits change. */
  readonly source: string;
  readonly date: string;
  readonly places: readonly CheckPlace[];
}

export interface Rule extends Omit<CheckFinding, 'rule' | 'places'> {
  readonly id: string;
  find(this: void, server: CheckedServer): readonly CheckPlace[];
}

/** Places of the tools for which a function returns a fact or true. */
export function inTools(
  factOf: (tool: CheckedTool, server: CheckedServer) => string | boolean,
): Rule['find'] {
  return (server) =>
    server.tools.flatMap((tool) => {
      const fact = factOf(tool, server);
      if (fact === false || fact === '') return [];
      return { tool: tool.name, ...(typeof fact === 'string' && { detail: fact }) };
    });
}
