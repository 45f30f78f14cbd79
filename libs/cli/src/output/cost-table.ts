import { fit, lengthOf } from './columns.js';
import { printable, styled, type Terminal } from './terminal.js';

/** A tool as `tools/list` returns it. */
export interface PricedTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: { readonly properties?: Readonly<Record<string, unknown>> | undefined };
  readonly outputSchema?: unknown;
}

/** The size of a listed tool in an agent's context. */
interface Cost {
  readonly name: string;
  /** The size of the tool as JSON, in bytes. */
  readonly bytes: number;
  /** The name and the share of the tool's largest part, such as `description, 61 %`. */
  readonly largest: string;
}

/** The average number of bytes per token, for JSON with English text. */
const BYTES_PER_TOKEN = 4;

const HEADER = ['Tool', 'Bytes', 'Tokens', 'Largest part'] as const;

/**
 * Formats the size of each tool, the largest first, and the sum. A token is estimated at four
 * bytes. In a pipe, one line per tool, with tabs between the columns.
 * @param listed the tools that clients receive. If they differ from `tools`, their sum is also
 * printed
 */
export function costTable(
  tools: readonly PricedTool[],
  terminal: Terminal,
  listed: readonly PricedTool[] = tools,
): string {
  const costs = tools.map(costOf).sort((a, b) => b.bytes - a.bytes);
  const sums = [sumOf(`${costs.length} tools`, costs)];
  const isShort = listed.map(({ name }) => name).join() !== tools.map(({ name }) => name).join();
  if (isShort) sums.push(sumOf(`${listed.length} listed`, listed.map(costOf)));
  const rows = [...costs, ...sums].map((cost) =>
    cellsOf(cost).map((cell) => printable(terminal, cell)),
  );
  if (terminal.kind === 'pipe') return rows.map((row) => `${row.join('\t').trimEnd()}\n`).join('');

  const all = [[...HEADER], ...rows];
  const widths = HEADER.map((_, i) => Math.max(...all.map((row) => lengthOf(row[i] ?? ''))));
  return all
    .map((row, i) => {
      const cells = row.map((cell, column) =>
        isNumber(column) ? cell.padStart(widths[column] ?? 0) : fit(cell, widths[column] ?? 0),
      );
      const line = cells.join('  ').trimEnd();
      return `${i === 0 || i > costs.length ? styled(terminal, 'bold', line) : line}\n`;
    })
    .join('');
}

function sumOf(name: string, costs: readonly Cost[]): Cost {
  return { name, bytes: costs.reduce((sum, { bytes }) => sum + bytes, 0), largest: '' };
}

function isNumber(column: number): boolean {
  return column === 1 || column === 2;
}

function cellsOf({ name, bytes, largest }: Cost): string[] {
  return [name, String(bytes), String(Math.round(bytes / BYTES_PER_TOKEN)), largest];
}

function costOf(tool: PricedTool): Cost {
  const bytes = bytesOf(tool);
  const [part = '', size = 0] = partsOf(tool).sort(([, a], [, b]) => b - a)[0] ?? [];
  const largest = size === 0 ? '' : `${part}, ${Math.round((size / bytes) * 100)} %`;
  return { name: tool.name, bytes, largest };
}

/** Returns the parts of a tool that its author can shorten, with their size in bytes. */
function partsOf({ description, inputSchema, outputSchema }: PricedTool): [string, number][] {
  const properties = Object.entries(inputSchema.properties ?? {});
  return [
    ['description', bytesOf(description)],
    ['outputSchema', bytesOf(outputSchema)],
    ...properties.map(([name, schema]): [string, number] => [`argument ${name}`, bytesOf(schema)]),
  ];
}

function bytesOf(value: unknown): number {
  return value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value));
}
