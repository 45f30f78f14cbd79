export interface ExportFormat {
  /** The media type, for `Content-Type`. */
  readonly type: string;
  /** @param rows the rows of the first page */
  head(rows: readonly object[]): string;
  line(row: object): string;
}

/**
 * CSV (RFC 4180) with a header. Adds an apostrophe before strings that a spreadsheet would run as a
 * formula. Like `JSON.stringify`, calls `toJSON()` of rows and values, which may hide fields.
 * @param columns by default, the fields of the first row. A field that is undefined in every row of
 * the first page is omitted
 */
export function csvFormat(columns: readonly string[] | undefined): ExportFormat {
  let names = columns;
  return {
    type: 'text/csv; charset=utf-8',
    head(rows) {
      names ??= fieldsOf(rows.map(plainOf));
      return names === undefined ? '' : recordOf(names);
    },
    line(row) {
      const plain = plainOf(row);
      return recordOf((names ?? []).map((name) => valueOf(plain, name)));
    },
  };
}

/** An entity has a property for each declared class field, even if the query did not select it. */
function fieldsOf(rows: readonly object[]): string[] | undefined {
  const [first] = rows;
  if (first === undefined) return undefined;
  return Object.keys(first).filter((name) => rows.some((row) => valueOf(row, name) !== undefined));
}

function valueOf(row: object, name: string): unknown {
  return (row as Readonly<Record<string, unknown>>)[name];
}

/** Returns the value that `JSON.stringify` writes. */
function plainOf<T extends object>(value: T): T {
  const { toJSON } = value as { toJSON?: unknown };
  return typeof toJSON === 'function' ? (toJSON.call(value) as T) : value;
}

function recordOf(values: readonly unknown[]): string {
  return `${values.map(cellOf).join(',')}\r\n`;
}

function cellOf(value: unknown): string {
  const text = textOf(value);
  if (text === null) return '';
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  // An empty string is quoted, because NULL is written without quotes. Some spreadsheets also split
  // lines at semicolons and tabs, and would run the rest of a string as a formula.
  return safe === '' || /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * Matches strings that spreadsheets read as a formula (OWASP, CSV injection). Includes the
 * full-width characters of East Asian keyboards.
 */
const FORMULA = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;
/** Matches negative numbers. They are not formulas. Drivers return decimals as strings. */
const NUMBER = /^-\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

function textOf(value: unknown): string | null {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  const plain = typeof value === 'object' && value !== null ? plainOf(value) : value;
  if (plain === null || plain === undefined) return null;
  if (typeof plain === 'object') return jsonOf(plain);
  return String(plain as string | number | bigint | boolean);
}

/** Writes large integers as strings. */
export function jsonOf(value: object): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'bigint' ? String(member) : member,
  );
}
