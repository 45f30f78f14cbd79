import { posix } from 'node:path';
import { isObject } from '../json.js';

/** Reads a file by its path relative to the project's folder. Returns undefined if there is none. */
export type ReadText = (path: string) => string | undefined;

/** Matches comments and trailing commas, which tsconfig.json allows; and strings, so their contents do not match. */
const NOISE = /("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,(?=\s*[\]}])/g;

/**
 * Returns the `outDir` of a tsconfig.json, its own or an inherited one, relative to the project's folder.
 * Returns undefined if none is set or the file cannot be read, because other paths are tried too.
 */
export function outDirOf(path: string, read: ReadText, depth = 0): string | undefined {
  const config = parse(read(path));
  if (config === undefined || depth > 8) return undefined;
  const folder = posix.dirname(path);
  const { compilerOptions } = config;
  const outDir = isObject(compilerOptions) ? compilerOptions['outDir'] : undefined;
  if (typeof outDir === 'string') {
    return posix.join(folder, outDir.replace(/^\$\{configDir\}\//, ''));
  }
  const bases = [config['extends']].flat().filter((base) => typeof base === 'string');
  for (const base of bases.reverse().filter((name) => name.startsWith('.'))) {
    const file = posix.join(folder, base.endsWith('.json') ? base : `${base}.json`);
    const inherited = outDirOf(file, read, depth + 1);
    if (inherited !== undefined) return inherited;
  }
  return undefined;
}

function parse(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined) return undefined;
  const blank = (pattern: RegExp, json: string) =>
    json.replace(pattern, (_noise, string: string | undefined) => string ?? '');
  try {
    // Twice: a comma before a comment becomes a trailing comma when the comment is removed.
    const value: unknown = JSON.parse(blank(NOISE, blank(NOISE, text)));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
