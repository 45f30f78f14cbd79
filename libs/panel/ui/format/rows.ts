import { isRecord, parsedJson } from '@fledge-internal/ui/json';
import { countOf, plural } from './number.js';

/** The rows of a response, as a table of strings. */
export interface Rows {
  readonly columns: readonly string[];
  readonly cells: readonly (readonly string[])[];
  /** A summary such as "4 of 5 rows, page 1 of 2". */
  readonly summary: string;
}

/** Reads `{ data, meta }` or a list of objects. Returns undefined for other texts. */
export function rowsOf(text: string): Rows | undefined {
  const value = parsedJson(text);
  const list = isRecord(value) ? value['data'] : value;
  if (!Array.isArray(list) || !list.every(isRecord)) return undefined;
  const columns = [...new Set(list.flatMap((row) => Object.keys(row)))];
  const meta = isRecord(value) && isRecord(value['meta']) ? value['meta'] : {};
  return {
    columns,
    cells: list.map((row) => columns.map((name) => cellOf(row[name]))),
    summary: summaryOf(list.length, meta),
  };
}

/** Formats a cell. For an object, shows the property that names it. */
function cellOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (!isRecord(value)) return JSON.stringify(value);
  const name = value['name'] ?? value['title'] ?? value['id'];
  return typeof name === 'string' || typeof name === 'number'
    ? String(name)
    : JSON.stringify(value);
}

function summaryOf(count: number, meta: Readonly<Record<string, unknown>>): string {
  const { total, page, totalPages } = meta;
  const rows =
    typeof total === 'number'
      ? `${countOf(count)} of ${plural(total, 'row')}`
      : plural(count, 'row');
  if (typeof page !== 'number' || typeof totalPages !== 'number') return rows;
  return `${rows}, page ${countOf(page)} of ${countOf(totalPages)}`;
}
