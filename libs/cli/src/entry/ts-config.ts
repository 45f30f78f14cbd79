import { posix } from 'node:path';
import { isObject } from '../json.js';

/** Reads a file of the project by its path from the project's folder. Undefined when there is none. */
export type ReadText = (path: string) => string | undefined;

/** Comments and trailing commas, which tsconfig.json allows, and the strings they must not be sought in. */
const NOISE = /("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,(?=\s*[\]}])/g;

/**
 * The `outDir` of a tsconfig.json, its own or that of what it extends, as a path from the project's
 * folder. Undefined when none is set or the file cannot be read: it is a hint where to look, no more.
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
    // Twice: a comma is trailing only once the comment behind it is gone.
    const value: unknown = JSON.parse(blank(NOISE, blank(NOISE, text)));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
