import { posix } from 'node:path';
import { isObject } from '../json.js';

/**
 * Reads a file by its path relative to the project's folder. Returns undefined if it does not
 * exist.
 */
export type ReadText = (path: string) => string | undefined;

/**
 * Matches the comments and trailing commas that tsconfig.json allows. Also matches strings, so a
 * `//` inside a string does not count as a comment.
 */
const NOISE = /("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,(?=\s*[\]}])/g;

/**
 * Returns the `outDir` of a tsconfig.json, relative to the project's folder. Returns undefined if
 * `outDir` is not set, or if the file cannot be read. The caller then tries other paths.
 */
export function outDirOf(path: string, read: ReadText): string | undefined {
  const { value, folder = '' } = compilerOptionOf(path, read, 'outDir') ?? {};
  if (typeof value !== 'string') return undefined;
  return posix.join(folder, value.replace(/^\$\{configDir\}\//, ''));
}

/** A compiler option, and the folder of the tsconfig.json that sets this option. */
export interface CompilerOption {
  readonly value: unknown;
  readonly folder: string;
}

/**
 * Returns a compiler option of a tsconfig.json. The file may inherit the option. Returns undefined
 * if the option is not set.
 */
export function compilerOptionOf(
  path: string,
  read: ReadText,
  name: string,
  depth = 0,
): CompilerOption | undefined {
  const config = parse(read(path));
  if (config === undefined || depth > 8) return undefined;
  const folder = posix.dirname(path);
  const { compilerOptions } = config;
  const value = isObject(compilerOptions) ? compilerOptions[name] : undefined;
  if (value !== undefined) return { value, folder };
  const bases = [config['extends']].flat().filter((base) => typeof base === 'string');
  for (const base of bases.reverse().filter((each) => each.startsWith('.'))) {
    const file = posix.join(folder, base.endsWith('.json') ? base : `${base}.json`);
    const inherited = compilerOptionOf(file, read, name, depth + 1);
    if (inherited !== undefined) return inherited;
  }
  return undefined;
}

function parse(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined) return undefined;
  const blank = (pattern: RegExp, json: string) =>
    json.replace(pattern, (_noise, string: string | undefined) => string ?? '');
  try {
    // The replacement runs twice. If a comment follows a comma, the comma becomes a trailing comma
    // only when the comment is removed.
    const value: unknown = JSON.parse(blank(NOISE, blank(NOISE, text)));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
