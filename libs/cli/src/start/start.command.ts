import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { constants } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppNotStartedError, BadOptionError } from '../cli.errors.js';
import { findEntry } from '../entry/entry-file.js';
import { projectFolder } from '../entry/project-folder.js';

export interface StartOptions {
  /**
   * Folder of the application.
   * @default the nearest folder with a package.json, looking upward
   */
  readonly project?: string;
  readonly entry?: string;
  /** Start timeout in seconds. */
  readonly timeout: number;
}

const APP_PROCESS = fileURLToPath(new URL('./app-process.js', import.meta.url));

function givenFolder(project: string): string {
  const folder = resolve(project);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
  throw new BadOptionError('--project', project, `an existing folder; ${folder} does not exist`);
}

/**
 * Runs the application as an MCP server, until the application or the client ends. The server uses
 * stdin and stdout of this process. In the application, descriptor 1 is stderr, and descriptor 3 is
 * stdout of this process.
 * @returns the exit code of the application
 */
export async function start({ project, entry, timeout }: StartOptions): Promise<number> {
  const folder = project === undefined ? projectFolder(process.cwd()) : givenFolder(project);
  // A client may start this command in another folder. That folder may have an entry file with the
  // same name.
  const file = findEntry(folder, entry, 'application');
  const app = spawn(process.execPath, [...process.execArgv, APP_PROCESS, file, String(timeout)], {
    cwd: folder,
    stdio: [0, 2, 2, 1],
    env: { ...process.env, FLEDGE_MCP_STDIO: '1' },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => app.kill(signal));
  }
  return new Promise((resolve, reject) => {
    app.once('error', (error) =>
      reject(new AppNotStartedError(`${process.execPath} could not be run: ${error.message}.`)),
    );
    app.once('exit', (code, signal) => {
      resolve(signal === null ? (code ?? 0) : 128 + constants.signals[signal]);
    });
  });
}
