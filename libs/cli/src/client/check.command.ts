import {
  CHECKED_CLIENTS,
  type CheckedClient,
  type CheckedTool,
  type CheckFinding,
  checkServer,
} from '@fledge/mcp/check';
import type { Client } from '@modelcontextprotocol/client';
import { BadOptionError, EXIT, type ExitCode } from '../cli.errors.js';
import { findingsText } from '../output/findings.js';
import { jsonText, terminalOf } from '../output/terminal.js';
import { type ConnectionOptions, withConnection } from './connection.js';

export interface CheckOptions extends ConnectionOptions {
  /** Client names separated by commas, or `all`. */
  readonly for?: string;
  readonly json?: true;
}

/**
 * Prints the problems of the listed tools: the tools that clients, public server lists and scanners
 * would reject, and the reasons.
 * @returns the exit code: `failed` if a finding is an error
 * @throws BadOptionError for an unknown client
 */
export async function check(options: CheckOptions): Promise<ExitCode> {
  const clients = clientsOf(options.for ?? 'all');
  const findings = await withConnection(options, ({ client }) => findingsOf(client, clients));
  process.stdout.write(
    options.json ? jsonText(findings, 2) : findingsText(findings, terminalOf(process.stdout)),
  );
  return findings.some(({ severity }) => severity === 'error') ? EXIT.failed : EXIT.ok;
}

function clientsOf(names: string): readonly CheckedClient[] {
  if (names === 'all') return CHECKED_CLIENTS;
  return names.split(',').map((name) => {
    const known = CHECKED_CLIENTS.find((client) => client === name.trim());
    if (known !== undefined) return known;
    const expected = `"all", or one or more of ${CHECKED_CLIENTS.join(', ')}`;
    throw new BadOptionError('--for', name, expected);
  });
}

async function findingsOf(
  client: Client,
  clients: readonly CheckedClient[],
): Promise<readonly CheckFinding[]> {
  const server = {
    name: client.getServerVersion()?.name ?? '',
    instructions: client.getInstructions(),
    protocolVersion: client.getNegotiatedProtocolVersion(),
    tools: await listedTools(client),
  };
  return checkServer(server, clients);
}

/** Returns the tools on all pages of the list. Other clients receive the same tools. */
async function listedTools(client: Client): Promise<readonly CheckedTool[]> {
  const tools: CheckedTool[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listTools(cursor === undefined ? {} : { cursor });
    tools.push(...(page.tools as readonly CheckedTool[]));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return tools;
}
