/** What the process ends with. The README and `--help` document them. */
export const EXIT = { ok: 0, toolError: 1, usage: 2, unreachable: 3, interrupted: 130 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** What every error of this package is: a fact, its place and a cure, under a stable `code`. */
export abstract class CliError extends Error {
  abstract readonly code: string;
  abstract readonly exitCode: ExitCode;

  /** @param detail what is shown below the message, as it is: the end of a log */
  constructor(
    message: string,
    readonly detail?: string,
  ) {
    super(message);
  }

  override get name(): string {
    return this.constructor.name;
  }
}

/** An option has a value that can never work. */
export class BadOptionError extends CliError {
  readonly code = 'CLI_BAD_OPTION';
  readonly exitCode = EXIT.usage;

  constructor(option: string, value: string, expected: string) {
    super(`${option} is ${JSON.stringify(value)}, but must be ${expected}.`);
  }
}

/** A file, or the value of `--args`, is not the JSON it has to be. */
export class BadJsonError extends CliError {
  readonly code = 'CLI_BAD_JSON';
  readonly exitCode = EXIT.usage;

  constructor(place: string, fault: string, cure: string) {
    super(`${place} ${fault}. ${cure}`);
  }
}

/** A configuration holds another server of the same name. */
export class ServerTakenError extends CliError {
  readonly code = 'CLI_SERVER_TAKEN';
  readonly exitCode = EXIT.usage;

  constructor(file: string, name: string, present: string) {
    super(
      `${file} has a server "${name}" already: ${present}. Take another --name, or replace it with --force.`,
    );
  }
}

/** `--entry` names what cannot be run. */
export class BadEntryError extends CliError {
  readonly code = 'CLI_BAD_ENTRY';
  readonly exitCode = EXIT.usage;
}

/** The application is not built, or not where it is looked for. */
export class EntryNotFoundError extends CliError {
  readonly code = 'CLI_ENTRY_NOT_FOUND';
  readonly exitCode = EXIT.unreachable;

  constructor(folder: string, candidates: readonly string[]) {
    super(
      `No built application in ${folder}. Looked for ${candidates.join(', ')}. ` +
        'Build it (npm run build), or name its file: --entry dist/main.js.',
    );
  }
}

/** The application ended, failed or fell silent before it served MCP. */
export class AppNotStartedError extends CliError {
  readonly code = 'CLI_APP_NOT_STARTED';
  readonly exitCode = EXIT.unreachable;
}

/** The application ended, or its connection broke, while it was asked something. */
export class ConnectionLostError extends CliError {
  readonly code = 'CLI_CONNECTION_LOST';
  readonly exitCode = EXIT.unreachable;
}

/** Nothing that speaks MCP answers at the URL. */
export class ServerUnreachableError extends CliError {
  readonly code = 'CLI_SERVER_UNREACHABLE';
  readonly exitCode = EXIT.unreachable;
}

/** The server wants another token, or one at all. */
export class UnauthorizedError extends CliError {
  readonly code = 'CLI_UNAUTHORIZED';
  readonly exitCode = EXIT.unreachable;
}

/** No answer within `--timeout`. */
export class AnswerTimeoutError extends CliError {
  readonly code = 'CLI_TIMEOUT';
  readonly exitCode = EXIT.unreachable;

  constructor(place: string, seconds: number) {
    super(`${place} gave no answer within ${seconds} s. Allow it more: --timeout ${seconds * 2}.`);
  }
}

/** The server has no tool of that name. */
export class UnknownToolError extends CliError {
  readonly code = 'CLI_UNKNOWN_TOOL';
  readonly exitCode = EXIT.usage;

  constructor(name: string, nearest: readonly string[]) {
    const cure =
      nearest.length === 0
        ? 'List them: npx @fledge/cli mcp list.'
        : `Did you mean ${nearest.join(' or ')}?`;
    super(`There is no tool "${name}". ${cure}`);
  }
}

/** The server refused the call with a JSON-RPC error. */
export class CallRefusedError extends CliError {
  readonly code = 'CLI_CALL_REFUSED';
  readonly exitCode = EXIT.toolError;
}

/** Ctrl-C. */
export class InterruptedError extends CliError {
  readonly code = 'CLI_INTERRUPTED';
  readonly exitCode = EXIT.interrupted;

  constructor() {
    super('Interrupted.');
  }
}

/** A file cannot be read or written. */
export class FileError extends CliError {
  readonly code = 'CLI_FILE';
  readonly exitCode = EXIT.usage;

  constructor(file: string, deed: 'read' | 'written', cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`${file} cannot be ${deed}: ${reason}. Check folder and permissions, or use --out FILE.`);
  }
}
