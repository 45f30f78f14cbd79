import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './snippets.js';

export interface BrowserProgram {
  /** The code of a single ES module. */
  readonly code: string;
  /** Imported modules that browsers do not have, such as `node:crypto`. */
  readonly imports: readonly string[];
  /** The files from which the code was made. */
  readonly modules: readonly string[];
}

/** Bundles a program and its imports for browsers, as a front-end build does. */
export function browserProgram(entry: string): BrowserProgram {
  const joiner = join(root, 'test/support/join-for-browsers.mjs');
  const made = execFileSync(process.execPath, [joiner, join(root, entry)], { encoding: 'utf8' });
  return JSON.parse(made) as BrowserProgram;
}
