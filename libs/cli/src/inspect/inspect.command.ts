import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NoInspectorError, UnauthorizedError } from '../cli.errors.js';
import { withConnection } from '../client/connection.js';
import { findEntry } from '../entry/entry-file.js';
import { projectFolder } from '../entry/project-folder.js';
import { INSPECTOR, installedInspector } from './installed-inspector.js';

export interface InspectOptions {
  readonly entry?: string;
  readonly http?: string;
  readonly token?: string;
  /** Seconds to wait for a running server to respond. */
  readonly timeout: number;
}

const BIN = fileURLToPath(new URL('../main.js', import.meta.url));

/**
 * Runs the project's MCP Inspector on the application until the Inspector ends.
 * @returns the exit code of the Inspector
 */
export async function inspect(options: InspectOptions): Promise<number> {
  const project = projectFolder(process.cwd());
  const byHand = `npx ${INSPECTOR}${options.http === undefined ? '' : ` --transport http --server-url ${options.http}`}`;
  const program = installedInspector(process.cwd(), process.versions.node, byHand);
  const server = serverOf(options, project);
  if (options.http !== undefined) await checkAnswers(options);
  // The configuration is passed in a file, because other users can read the arguments of a process.
  // The folder of the file is readable only for this user.
  const folder = mkdtempSync(join(tmpdir(), 'fledge-inspect-'));
  try {
    const file = join(folder, 'mcp.json');
    const config = { mcpServers: { [basename(project)]: server } };
    writeFileSync(file, JSON.stringify(config), { mode: 0o600 });
    return await runToEnd(program, ['--config', file]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function serverOf({ entry, http, token }: InspectOptions, project: string): object {
  if (http !== undefined) {
    const headers = { Authorization: `Bearer ${token}` };
    return { type: 'streamable-http', url: http, ...(token !== undefined && { headers }) };
  }
  const args = [BIN, 'mcp', 'start', '--project', project, '--entry', findEntry(project, entry)];
  const env = { FLEDGE_MCP_TOKEN: token };
  return { type: 'stdio', command: process.execPath, args, ...(token !== undefined && { env }) };
}

/**
 * Checks that a server responds. A response that requires a token is accepted, because the
 * Inspector can sign in.
 */
async function checkAnswers(options: InspectOptions): Promise<void> {
  try {
    await withConnection(options, () => Promise.resolve());
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error;
  }
}

function runToEnd(program: string, args: readonly string[]): Promise<number> {
  const inspector = spawn(process.execPath, [program, ...args], { stdio: 'inherit' });
  // A terminal sends Ctrl-C to both processes. The Inspector must receive it only once.
  const onInterrupt = () => process.stdin.isTTY || inspector.kill('SIGINT');
  process.on('SIGINT', onInterrupt);
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => inspector.kill(signal));
  }
  return new Promise((resolve, reject) => {
    inspector.once('error', (error) =>
      reject(new NoInspectorError(`${program} could not be run: ${error.message}.`)),
    );
    inspector.once('exit', (code, signal) => {
      resolve(signal === null ? (code ?? 0) : 128 + constants.signals[signal]);
    });
  });
}
