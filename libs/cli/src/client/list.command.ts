import { costTable } from '../output/cost-table.js';
import { terminalOf } from '../output/terminal.js';
import { toolTable } from '../output/tool-table.js';
import { type ConnectionOptions, withConnection } from './connection.js';

export interface ListOptions extends ConnectionOptions {
  readonly json?: true;
  readonly cost?: true;
}

/** Prints the tools as clients see them, or what each costs an agent. */
export async function list(options: ListOptions): Promise<void> {
  const { tools } = await withConnection(options, ({ client }) => client.listTools());
  const tableOf = options.cost ? costTable : toolTable;
  process.stdout.write(
    options.json
      ? `${JSON.stringify(tools, null, 2)}\n`
      : tableOf(tools, terminalOf(process.stdout)),
  );
}
