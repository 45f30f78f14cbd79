import { terminalOf } from '../output/terminal.js';
import { toolTable } from '../output/tool-table.js';
import { type ConnectionOptions, withConnection } from './connection.js';

export interface ListOptions extends ConnectionOptions {
  readonly json?: true;
}

/** Prints the tools as clients see them. */
export async function list(options: ListOptions): Promise<void> {
  const { tools } = await withConnection(options, ({ client }) => client.listTools());
  process.stdout.write(
    options.json
      ? `${JSON.stringify(tools, null, 2)}\n`
      : toolTable(tools, terminalOf(process.stdout)),
  );
}
