import type { Client } from '@modelcontextprotocol/client';
import { costTable } from '../output/cost-table.js';
import { jsonText, terminalOf } from '../output/terminal.js';
import { toolTable } from '../output/tool-table.js';
import { type ConnectionOptions, withConnection } from './connection.js';
import { everyTool } from './every-tool.js';

export interface ListOptions extends ConnectionOptions {
  readonly json?: true;
  readonly cost?: true;
}

/** Prints every tool. With `--cost`, prints the number of tokens of each tool instead. */
export async function list(options: ListOptions): Promise<void> {
  process.stdout.write(await withConnection(options, ({ client }) => textOf(client, options)));
}

async function textOf(client: Client, { json, cost }: ListOptions): Promise<string> {
  const tools = await everyTool(client);
  if (json) return jsonText(tools, 2);
  if (tools.length === 0) process.stderr.write('fledge: The server lists no tools.\n');
  const terminal = terminalOf(process.stdout);
  if (!cost) return toolTable(tools, terminal);
  return costTable(tools, terminal, (await client.listTools()).tools);
}
