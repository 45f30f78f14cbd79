import { isDeepStrictEqual } from 'node:util';
import { parse, stringify, TomlError } from 'smol-toml';
import { BadConfigError } from '../cli.errors.js';
import { isObject } from '../json.js';
import { type ConfigText, type OpenConfig, withLineEndsOf } from './config-text.js';

/**
 * Opens TOML. An edit appends a table, or replaces the lines of an existing table. The result is
 * parsed and compared with the expected values. The file is rejected if the edit would change
 * anything else.
 */
export const openToml: OpenConfig = (file, text): ConfigText => {
  const root = parsed(file, text);
  return {
    find(path) {
      const value = valueAt(root, path);
      if (value === undefined) return undefined;
      return { value, line: lineOf(text, path) };
    },
    set(path, value) {
      const table = stringify(nested(path, value)).trim();
      const region = valueAt(root, path) === undefined ? undefined : regionOf(text, path);
      const edited = withLineEndsOf(
        text,
        region ? replaced(text, region, table) : added(text, table),
      );
      if (!isExactly(edited, withValueAt(root, path, value))) {
        const place = `${file}, line ${lineOf(text, path)},`;
        throw new BadConfigError(
          place,
          `must declare ${path.join('.')} as the table [${path.join('.')}]`,
        );
      }
      return edited;
    },
  };
};

type Table = Record<string, unknown>;

function parsed(file: string, text: string): Table {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // Only the first line of the message is used. The other lines contain text of the file. This
    // text may be secret.
    const fault = error.message.split('\n')[0]?.replace(/^Invalid TOML document: /, '');
    throw new BadConfigError(`${file}, line ${error.line},`, `is not valid TOML: ${fault}`);
  }
}

function added(text: string, table: string): string {
  const before = text.trimEnd();
  return before === '' ? `${table}\n` : `${before}\n\n${table}\n`;
}

interface Region {
  /** The first line of the table, starting at 0. */
  readonly from: number;
  /** The line after the last line of the table. */
  readonly to: number;
}

function replaced(text: string, { from, to }: Region, table: string): string {
  return text
    .split('\n')
    .toSpliced(from, to - from, table)
    .join('\n');
}

/**
 * Finds the lines of a table and its subtables. Comments directly above the next table belong to
 * the next table.
 */
function regionOf(text: string, path: readonly string[]): Region | undefined {
  const lines = text.split('\n');
  const from = lines.findIndex((line) => isWithin(path, headerOf(line)));
  if (from < 0) return undefined;
  const next = lines.findIndex((line, i) => {
    const header = headerOf(line);
    return i > from && header !== undefined && !isWithin(path, header);
  });
  let to = next < 0 ? lines.length : next;
  while (to > from + 1 && /^\s*(#.*)?$/.test(lines[to - 1] as string)) to--;
  return { from, to };
}

/** Returns the names in the header of a table, such as `[mcp_servers.shop]`. */
function headerOf(line: string): string[] | undefined {
  if (!/^\s*\[/.test(line)) return undefined;
  try {
    return pathOf(parse(line));
  } catch {
    return undefined;
  }
}

function pathOf(table: unknown): string[] {
  const value = Array.isArray(table) ? (table[0] as unknown) : table;
  const [entry] = isObject(value) ? Object.entries(value) : [];
  return entry === undefined ? [] : [entry[0], ...pathOf(entry[1])];
}

function isWithin(path: readonly string[], header: readonly string[] | undefined): boolean {
  return header !== undefined && path.every((name, i) => header[i] === name);
}

/**
 * Returns the line of a table, starting at 1. If there is no such table, returns the first line
 * that contains the name of the table, or else the first line of the file.
 */
function lineOf(text: string, path: readonly string[]): number {
  const from = regionOf(text, path)?.from;
  const named = text.split('\n').findIndex((line) => line.includes(path.at(-1) as string));
  return (from ?? Math.max(named, 0)) + 1;
}

function valueAt(root: Table, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, name) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined),
    root,
  );
}

function withValueAt(root: Table, path: readonly string[], value: object): Table {
  const [name = '', ...below] = path;
  const inner = isObject(root[name]) ? root[name] : {};
  return { ...root, [name]: below.length === 0 ? value : withValueAt(inner, below, value) };
}

function nested(path: readonly string[], value: object): object {
  return path.reduceRight<object>((inner, name) => ({ [name]: inner }), value);
}

function isExactly(text: string, expected: Table): boolean {
  try {
    return isDeepStrictEqual(plain(parse(text)), plain(expected));
  } catch {
    return false;
  }
}

/** Converts numbers and dates to strings, because `NaN` and TOML dates have no JSON equivalent. */
function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_key, each: unknown) =>
      typeof each === 'bigint' || typeof each === 'number' ? String(each) : each,
    ),
  );
}
