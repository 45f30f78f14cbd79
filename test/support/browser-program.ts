import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './snippets.js';

export interface BrowserProgram {
  /** One ES module. */
  readonly code: string;
  /** Modules that browsers do not have, such as `node:crypto`. */
  readonly imports: readonly string[];
  /** The files that it was made of. */
  readonly modules: readonly string[];
}

/** Joins a program and what it imports for browsers, as the build of a front end does. */
export function browserProgram(entry: string): BrowserProgram {
  const joiner = join(root, 'test/support/join-for-browsers.mjs');
  const made = execFileSync(process.execPath, [joiner, join(root, entry)], { encoding: 'utf8' });
  return JSON.parse(made) as BrowserProgram;
}
