/** Exit codes of the process. The README and `--help` document them. */
export const EXIT = { ok: 0, failed: 1, usage: 2, unreachable: 3, interrupted: 130 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/**
 * Base class of this package's errors. Each error has a stable `code`. The message says what
 * happened, where, and how to fix it.
 */
export abstract class CliError extends Error {
  abstract readonly code: string;
  abstract readonly exitCode: ExitCode;

  /** @param detail text that is printed unchanged below the message, such as the end of a log */
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

/**
 * An option or argument is unknown, missing or has an invalid value.
 * @remarks Pass a value as the message describes. `--help` lists the options of a command.
 */
export class BadOptionError extends CliError {
  readonly code = 'CLI_BAD_OPTION';
  readonly exitCode = EXIT.usage;

  /** @param value the rejected value. Undefined if the message must not contain the value */
  constructor(option: string, value: string | undefined, expected: string) {
    const fact = value === undefined ? '' : `is ${JSON.stringify(value)}, but `;
    super(`${option} ${fact}must be ${expected}.`);
  }
}

/**
 * A file or the value of `--args` is not valid JSON, or it is not the expected kind of JSON.
 * @remarks Correct the JSON at the place that the message names.
 */
export class BadJsonError extends CliError {
  readonly code = 'CLI_BAD_JSON';
  readonly exitCode = EXIT.usage;

  constructor(source: string, fault: string, cure: string) {
    super(`${source} ${fault}. ${cure}`);
  }
}

/**
 * The configuration file of a client cannot be edited. The file is invalid, or there are other
 * values in the place of the servers. The file was not changed.
 * @remarks Correct the file at the line that the message names. `--print` prints the lines to add
 * by hand.
 */
export class BadConfigError extends CliError {
  readonly code = 'CLI_BAD_CONFIG';
  readonly exitCode = EXIT.usage;

  constructor(place: string, fault: string) {
    super(
      `${place} ${fault}. The file was not changed. Correct the file, or use --print and add the lines by hand.`,
    );
  }
}

/**
 * The configuration already has a different server with this name.
 * @remarks Use another `--name`, or replace the server with `--force`.
 */
export class ServerTakenError extends CliError {
  readonly code = 'CLI_SERVER_TAKEN';
  readonly exitCode = EXIT.usage;

  /** @param present the existing entry. The message shows only the parts that cannot be secret */
  constructor(
    place: string,
    name: string,
    present: unknown,
    cure = 'Use another --name, or replace the server with --force.',
  ) {
    super(`${place} already has a different server "${name}"${reachedBy(present)}. ${cure}`);
  }
}

/**
 * Describes a server only by its host or program. Headers, arguments, paths and query strings may
 * contain tokens.
 */
function reachedBy(entry: unknown): string {
  const { command, cmd, ...rest } = Object(entry) as Record<string, unknown>;
  const url = ['url', 'httpUrl', 'serverUrl', 'uri'].map((key) => rest[key]).find(isUrl);
  if (url !== undefined) return ` at ${new URL(url).origin}`;
  const line = [command, cmd].find((value) => typeof value === 'string');
  const program = line === undefined ? undefined : /^[^\s=]+(?=\s|$)/.exec(line)?.[0];
  return program === undefined ? '' : ` with the command ${JSON.stringify(program)}`;
}

function isUrl(value: unknown): value is string {
  return typeof value === 'string' && URL.canParse(value);
}

/**
 * `--entry` names a file that does not exist or cannot be run.
 * @remarks Pass the path of the built JavaScript file: `--entry dist/main.js`.
 */
export class BadEntryError extends CliError {
  readonly code = 'CLI_BAD_ENTRY';
  readonly exitCode = EXIT.usage;
}

/**
 * No built application was found.
 * @remarks Build the application (`npm run build`), or pass the built file: `--entry dist/main.js`.
 */
export class EntryNotFoundError extends CliError {
  readonly code = 'CLI_ENTRY_NOT_FOUND';
  readonly exitCode = EXIT.unreachable;

  constructor(folder: string, candidates: readonly string[]) {
    super(
      `No built application was found in ${folder}. Searched for ${candidates.join(', ')}. ` +
        'Build the application (npm run build), or pass the built file: --entry dist/main.js.',
    );
  }
}

/**
 * The application exited, failed or timed out before it served MCP.
 * @remarks Read the log below the message. Import `McpModule`, or allow more time: `--timeout 120`.
 */
export class AppNotStartedError extends CliError {
  readonly code = 'CLI_APP_NOT_STARTED';
  readonly exitCode = EXIT.unreachable;
}

/**
 * The application exited during a request, or the connection broke.
 * @remarks Read the log of the application: it exited during the request.
 */
export class ConnectionLostError extends CliError {
  readonly code = 'CLI_CONNECTION_LOST';
  readonly exitCode = EXIT.unreachable;
}

/**
 * No MCP server responds at the URL.
 * @remarks Start the application, and check the URL: `--http http://localhost:3000/_mcp/messages`.
 */
export class ServerUnreachableError extends CliError {
  readonly code = 'CLI_SERVER_UNREACHABLE';
  readonly exitCode = EXIT.unreachable;
}

/**
 * The server rejected the token, or requires one.
 * @remarks Pass a valid token: `--token`, or the variable `FLEDGE_MCP_TOKEN`.
 */
export class UnauthorizedError extends CliError {
  readonly code = 'CLI_UNAUTHORIZED';
  readonly exitCode = EXIT.unreachable;
}

/**
 * The server did not respond within `--timeout`.
 * @remarks Allow more time: `--timeout`.
 */
export class AnswerTimeoutError extends CliError {
  readonly code = 'CLI_TIMEOUT';
  readonly exitCode = EXIT.unreachable;

  constructor(server: string, seconds: number) {
    super(
      `${server} did not respond within ${seconds} s. Allow more time: --timeout ${seconds * 2}.`,
    );
  }
}

/**
 * The server has no tool with this name.
 * @remarks List the tools: `npx @fledge/cli mcp list`.
 */
export class UnknownToolError extends CliError {
  readonly code = 'CLI_UNKNOWN_TOOL';
  readonly exitCode = EXIT.usage;

  constructor(name: string, nearest: readonly string[]) {
    const cure =
      nearest.length === 0
        ? 'List the tools: npx @fledge/cli mcp list.'
        : `Did you mean ${nearest.join(' or ')}?`;
    super(`There is no tool "${name}". ${cure}`);
  }
}

/**
 * The server rejected the call with a JSON-RPC error.
 * @remarks Read the message of the server, and correct the arguments.
 */
export class CallRefusedError extends CliError {
  readonly code = 'CLI_CALL_REFUSED';
  readonly exitCode = EXIT.failed;
}

/**
 * The application rejected a tenant command. The message includes the code of the application's
 * error.
 * @remarks Read the message: it says what to do.
 */
export class TenantRefusedError extends CliError {
  readonly code = 'CLI_TENANT_REFUSED';
  readonly exitCode: ExitCode;

  /** @param cause the error code that the application reported */
  constructor(message: string, cause: string | undefined) {
    super(cause === undefined ? message : `${message} (${cause})`);
    this.exitCode = WRONG_USAGE.has(cause ?? '') ? EXIT.usage : EXIT.failed;
  }
}

const WRONG_USAGE = new Set([
  'TENANT_EXISTS',
  'TENANT_INVALID',
  'TENANT_INVALID_OPTION',
  'TENANT_NOT_LISTED',
  'TENANT_UNKNOWN',
]);

/**
 * The MCP Inspector is not installed in the project, or the installed Inspector does not support
 * this version of Node.js.
 * @remarks Install it: `npm install -D @modelcontextprotocol/inspector`. Its version 2 needs
 * Node.js 22.19 or later.
 */
export class NoInspectorError extends CliError {
  readonly code = 'CLI_NO_INSPECTOR';
  readonly exitCode = EXIT.unreachable;
}

/**
 * `@fledge/cli` is not installed in the project, so clients could not start the application. No
 * file was written.
 * @remarks Install it: `npm install -D @fledge/cli`. With `--http`, clients need no command.
 */
export class NotInstalledError extends CliError {
  readonly code = 'CLI_NOT_INSTALLED';
  readonly exitCode = EXIT.usage;

  constructor(folder: string) {
    super(
      `@fledge/cli is not installed in ${folder}, so clients cannot start the application. ` +
        'Install the package: npm install -D @fledge/cli. With Yarn, set nodeLinker: node-modules.',
    );
  }
}

/**
 * The user pressed Ctrl-C.
 * @remarks Nothing to do: the command was stopped with Ctrl-C.
 */
export class InterruptedError extends CliError {
  readonly code = 'CLI_INTERRUPTED';
  readonly exitCode = EXIT.interrupted;

  constructor() {
    super('Interrupted.');
  }
}

/**
 * A file cannot be read or written.
 * @remarks Check the folder and its permissions, or use `--out FILE`.
 */
export class FileError extends CliError {
  readonly code = 'CLI_FILE';
  readonly exitCode = EXIT.usage;

  constructor(file: string, action: 'read' | 'written', cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(
      `${file} cannot be ${action}: ${reason}. Check the folder and its permissions, or use --out FILE.`,
    );
  }
}

/**
 * `nest add` cannot edit the application. Nothing was written.
 * @remarks Add the lines that the message shows by hand.
 */
export class NotAddedError extends CliError {
  readonly code = 'CLI_NOT_ADDED';
  readonly exitCode = EXIT.usage;

  /** @param remedy says if the user can add the lines by hand */
  constructor(
    message: string,
    readonly remedy: 'by hand' | 'not for this application' = 'by hand',
  ) {
    super(message);
  }
}
