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

/** The name, the instructions and the tools that a client receives from a server. */
export interface CheckedServer {
  /** Name reported by the server. */
  readonly name: string;
  readonly instructions?: string | undefined;
  /** Protocol version used to list the tools. @default '2026-07-28' */
  readonly protocolVersion?: string | undefined;
  readonly tools: readonly CheckedTool[];
}

/** The place where a rule is broken. Without `tool`, the finding concerns the whole server. */
export interface CheckPlace {
  readonly tool?: string;
  /** Path of the property in the input schema, such as `order.lines`. */
  readonly parameter?: string;
  /** A detail of the finding, such as `68 characters`. */
  readonly detail?: string;
}

/**
 * `error`: a client or directory rejects or drops something. `warning`: something works, but with
 * restrictions.
 */
export type CheckSeverity = 'error' | 'warning' | 'info';

/**
 * The clients, directories and scanners that have rules. `claude` and `openai` each stand for the
 * vendor's apps and the vendor's directory.
 */
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

/** A broken rule and all places where it is broken. */
export interface CheckFinding {
  /** Id of the rule, such as `N1`. */
  readonly rule: string;
  readonly severity: CheckSeverity;
  /** Clients that enforce the rule. */
  readonly clients: readonly CheckedClient[];
  /** Description of the problem, as a sentence. */
  readonly text: string;
  readonly fix: string;
  /**
   * Source of the rule. `date` is the day on which the source was read. Limits of clients may have
   * changed since then.
   */
  readonly source: string;
  readonly date: string;
  readonly places: readonly CheckPlace[];
}

export interface Rule extends Omit<CheckFinding, 'rule' | 'places'> {
  readonly id: string;
  find(this: void, server: CheckedServer): readonly CheckPlace[];
}

/**
 * Returns the function `find` of a rule about single tools.
 * @param factOf returns true or a detail if a tool breaks the rule, else false
 */
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
