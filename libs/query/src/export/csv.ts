export interface ExportFormat {
  /** The media type, for `Content-Type`. */
  readonly type: string;
  /** @param first the first row. Undefined if the list is empty */
  head(first: object | undefined): string;
  line(row: object): string;
}

/**
 * CSV (RFC 4180) with a header. Adds an apostrophe before strings that a spreadsheet would run as a
 * formula.
 * @param columns by default, the fields of the first row
 */
export function csvFormat(columns: readonly string[] | undefined): ExportFormat {
  let names = columns;
  return {
    type: 'text/csv; charset=utf-8',
    head(first) {
      names ??= first && Object.keys(first);
      return names === undefined ? '' : recordOf(names);
    },
    line: (row) =>
      recordOf((names ?? []).map((name) => (row as Readonly<Record<string, unknown>>)[name])),
  };
}

function recordOf(values: readonly unknown[]): string {
  return `${values.map(cellOf).join(',')}\r\n`;
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = textOf(value);
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  // An empty string is quoted, because NULL is written without quotes.
  // Spreadsheets of some languages also split at `;`, and the rest of the text could be a formula.
  return safe === '' || /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * Matches strings that spreadsheets read as a formula (OWASP, CSV injection). Includes the
 * full-width characters of East Asian keyboards.
 */
const FORMULA = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;
/** Matches negative numbers. They are not formulas. Drivers return decimals as strings. */
const NUMBER = /^-\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

function textOf(value: NonNullable<unknown>): string {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (typeof value !== 'object') return String(value as string | number | bigint | boolean);
  return jsonOf(value);
}

/** Writes large integers as strings. */
export function jsonOf(value: object): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'bigint' ? String(member) : member,
  );
}
