import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { observe, type Observed } from '../../../../test/support/processes.js';
import type { Outcome } from './fledge-here.js';

/** The command as it is built, which these tests run. */
export const BIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
export const appFile = (name: string) =>
  fileURLToPath(new URL(`../apps/${name}.mjs`, import.meta.url));
export const TASKS = fileURLToPath(new URL('../../../../apps/tasks', import.meta.url));

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Record<string, string>;
  /** All of stdin. Left open without it. */
  readonly input?: string;
}

const environment = (env: Record<string, string> = {}) => {
  const own = { ...process.env, NODE_OPTIONS: '', ...env };
  return Object.fromEntries(
    Object.entries(own).filter(([name]) => name in env || !/^(FLEDGE_|FORCE_COLOR)/.test(name)),
  );
};

/** Starts `fledge ...`. */
export function launch(args: string[], { cwd, env }: RunOptions = {}): Launched {
  const child = spawn(process.execPath, [BIN, ...args], { cwd, env: environment(env) });
  const printed = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (printed.out += String(chunk)));
  child.stderr.on('data', (chunk: Buffer) => (printed.err += String(chunk)));
  child.stdin.on('error', () => undefined);
  return { child, printed, ...observe(child) };
}

export interface Launched extends Observed {
  readonly child: ChildProcessWithoutNullStreams;
  readonly printed: { out: string; err: string };
}

/** Runs `fledge ...` to its end. */
export async function fledge(args: string[], options: RunOptions = {}): Promise<Outcome> {
  const { child, printed, end } = launch(args, options);
  if (options.input !== undefined) child.stdin.end(options.input);
  const { code } = await end();
  return { code, ...printed };
}

/** Runs `fledge ...` on a terminal made by script(1). Stdout and stderr arrive as one stream. */
export async function onTerminal(args: string[], options: RunOptions = {}): Promise<Outcome> {
  const command = [process.execPath, BIN, ...args].map((arg) => `'${arg}'`).join(' ');
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd: options.cwd,
    env: {
      ...environment(options.env),
      TERM: 'xterm-256color',
      NO_COLOR: options.env?.['NO_COLOR'],
      // Node takes a terminal of an unknown CI for one without colors.
      CI: undefined,
    },
  });
  const { end, output } = observe(child);
  const { code } = await end();
  return { code, out: output(), err: '' };
}

/** Starts a server in a separate process and returns the URL it prints. */
export async function serve(app: string, env: Record<string, string> = {}): Promise<Served> {
  const child = spawn(process.execPath, [appFile(app)], {
    env: environment({ PORT: '0', ...env }),
  });
  const { until, end, output } = observe(child);
  const [, url = ''] = await until(/^at (http:\S+)\n/m);
  return {
    url: url.replace('[::1]', 'localhost'),
    output,
    stop: async () => {
      child.kill('SIGKILL');
      await end();
    },
  };
}

export interface Served {
  readonly url: string;
  output(): string;
  stop(): Promise<void>;
}
