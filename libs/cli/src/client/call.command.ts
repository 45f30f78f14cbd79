import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/client';
import { EXIT, type ExitCode, UnknownToolError } from '../cli.errors.js';
import { resultText } from '../output/call-result.js';
import { progressText } from '../output/status-line.js';
import { jsonText, terminalOf } from '../output/terminal.js';
import { type Connection, type ConnectionOptions, withConnection } from './connection.js';
import { everyTool } from './every-tool.js';
import { nearest } from './nearest.js';
import { DEFAULT_TIMEOUT } from '../option-values.js';
import { toolArguments } from './tool-arguments.js';

export interface CallOptions extends ConnectionOptions {
  readonly args?: string;
  readonly json?: true;
}

/** Calls a tool and prints its result, even if the result is a tool error. */
export async function call(name: string, options: CallOptions): Promise<ExitCode> {
  const args = await toolArguments(options.args, process.stdin);
  // `--timeout` limits only the call. A short timeout must not limit the startup of the
  // application.
  const startTimeout = Math.max(options.timeout, DEFAULT_TIMEOUT);
  const result = await withConnection({ ...options, startTimeout }, async (connection) => {
    try {
      return await callTool(connection, name, args, options.timeout * 1000);
    } catch (error) {
      throw await unknownTool(error, name, connection);
    }
  });
  process.stdout.write(
    options.json ? jsonText(result, 2) : resultText(result, terminalOf(process.stdout)),
  );
  return result.isError === true ? EXIT.failed : EXIT.ok;
}

function callTool(
  { client, status, signal }: Connection,
  name: string,
  args: Record<string, unknown>,
  timeout: number,
): Promise<CallToolResult> {
  status.show(`Calling ${name} ...`);
  return client.callTool(
    { name, arguments: args },
    {
      signal,
      timeout,
      resetTimeoutOnProgress: true,
      onprogress: ({ progress, total, message }) =>
        status.show(`${name}: ${progressText(progress, total, message)}`),
    },
  );
}

/**
 * Returns an UnknownToolError if the server has no such tool, or else the given error. Unknown
 * tools and invalid arguments have the same error code, so the list of tools is searched.
 */
async function unknownTool(error: unknown, name: string, { client }: Connection): Promise<unknown> {
  if (
    !(error instanceof ProtocolError) ||
    error.code !== (ProtocolErrorCode.InvalidParams as number)
  ) {
    return error;
  }
  const names = (await everyTool(client)).map((tool) => tool.name);
  return names.includes(name) ? error : new UnknownToolError(name, nearest(name, names));
}
