import { cut, fit, lengthOf } from './columns.js';
import { printable, styled, type Terminal } from './terminal.js';

/** The properties of a tool that the table shows. */
export interface ListedTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: {
    readonly properties?: object | undefined;
    readonly required?: readonly string[] | undefined;
  };
}

const MIN_TEXT_WIDTH = 20;

/**
 * Formats tools as a table that fits the terminal. In a pipe, there is one line per tool, with tabs
 * between the columns. Without tools, the text is empty.
 */
export function toolTable(tools: readonly ListedTool[], terminal: Terminal): string {
  const rows = tools.map((tool) =>
    [tool.name, argumentsOf(tool), tool.description ?? tool.title ?? ''].map((cell) =>
      printable(terminal, cell.replace(/\s+/g, ' ').trim()),
    ),
  );
  if (terminal.kind === 'pipe') return rows.map((row) => `${row.join('\t')}\n`).join('');
  if (rows.length === 0) return '';

  const header = ['Tool', 'Arguments', 'Description'];
  const [nameWidth = 0, argumentsWidth = 0] = [Infinity, Math.floor(terminal.columns / 3)].map(
    (most, i) =>
      Math.min(most, Math.max(...[header, ...rows].map((row) => lengthOf(row[i] ?? '')))),
  );
  const textWidth = Math.max(MIN_TEXT_WIDTH, terminal.columns - nameWidth - argumentsWidth - 4);
  const line = ([name = '', list = '', text = '']: string[]) => [
    fit(name, nameWidth),
    fit(list, argumentsWidth),
    cut(text, textWidth),
  ];
  const lines = [
    line(header).map((cell) => styled(terminal, 'bold', cell)),
    ...rows.map((row) => {
      const [name = '', list = '', text = ''] = line(row);
      return [styled(terminal, 'cyan', name), list, styled(terminal, 'dim', text)];
    }),
  ];
  return lines.map((cells) => `${cells.join('  ').trimEnd()}\n`).join('');
}

/** Returns the names of the arguments, such as "id, title?". */
function argumentsOf({ inputSchema }: ListedTool): string {
  const required = new Set(inputSchema.required ?? []);
  return Object.keys(inputSchema.properties ?? {})
    .map((name) => (required.has(name) ? name : `${name}?`))
    .join(', ');
}
