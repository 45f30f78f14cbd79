import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { root } from './snippets.js';
import { LONGEST_WAIT_MS } from './longest-wait.js';

/** Returns a port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

export interface Observed {
  /** Returns what the process has printed so far, on both streams. */
  readonly output: () => string;
  /**
   * Waits until the process prints something. If the process ends or does not print it in time,
   * fails with its output.
   */
  until(pattern: RegExp, limitMs?: number): Promise<RegExpExecArray>;
  /**
   * Waits until the process has ended. If it does not end in time, kills it and fails with its
   * output.
   */
  end(): Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

/** Collects the output of a process, so that failures can show it. */
export function observe(child: ChildProcess): Observed {
  const command = child.spawnargs.join(' ');
  let printed = '';
  let hasEnded = false;
  /** Called whenever the process has printed something or ended. */
  const watchers = new Set<() => void>();
  const add = (text: string) => {
    printed += text;
    for (const watch of watchers) watch();
  };
  child.stdout?.on('data', (chunk: Buffer) => add(String(chunk)));
  child.stderr?.on('data', (chunk: Buffer) => add(String(chunk)));
  child.on('error', (error) => add(`${error.message}\n`));
  // More output may arrive after 'exit', so this waits for 'close'.
  child.once('close', () => {
    hasEnded = true;
    add('');
  });

  const wait = (condition: () => boolean, what: string, limitMs = LONGEST_WAIT_MS) =>
    new Promise<void>((resolve, reject) => {
      const watch = () => {
        if (condition()) settle(resolve);
      };
      const settle = (then: () => void) => {
        clearTimeout(timer);
        watchers.delete(watch);
        then();
      };
      const failure = () =>
        new Error(`Did not ${what} in ${limitMs / 1_000} s: ${command}\n${printed}`);
      const timer = setTimeout(() => settle(() => reject(failure())), limitMs);
      watchers.add(watch);
      watch();
    });
  return {
    output: () => printed,
    async until(pattern, limitMs) {
      await wait(() => hasEnded || pattern.test(printed), `print ${pattern}`, limitMs);
      const found = pattern.exec(printed);
      if (found) return found;
      const how = child.signalCode ?? `code ${child.exitCode}`;
      throw new Error(`Ended with ${how} before it printed ${pattern}: ${command}\n${printed}`);
    },
    async end() {
      await wait(() => hasEnded, 'end').catch((error: unknown) => {
        child.kill('SIGKILL');
        throw error;
      });
      return { code: child.exitCode, signal: child.signalCode };
    },
  };
}

/**
 * Returns a function that reads the next line of stdout. If the process has ended, the function
 * fails with its output.
 */
export function lineReader(child: ChildProcess): () => Promise<string> {
  const { output, end } = observe(child);
  const lines = createInterface(child.stdout!)[Symbol.asyncIterator]();
  return async () => {
    const { done, value } = await lines.next();
    if (!done) return value;
    const { code, signal } = await end();
    throw new Error(
      `Ended with ${signal ?? `code ${code}`}: ${child.spawnargs.join(' ')}\n${output()}`,
    );
  };
}

export interface Running extends Pick<Observed, 'output' | 'until'> {
  /** Throws an error with the output of the process if the process has ended. */
  mustRun(): void;
  stop(): Promise<void>;
}

/** Starts a command in the root of the repository, in its own process group. */
export function start(command: string, args: string[], env: Record<string, string> = {}): Running {
  const child: ChildProcess = spawn(command, args, {
    cwd: root,
    env: { ...process.env, NODE_OPTIONS: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const { output, until, end } = observe(child);
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;

  return {
    output,
    until,
    mustRun() {
      if (hasEnded()) throw new Error(`Ended: ${child.spawnargs.join(' ')}\n${output()}`);
    },
    async stop() {
      if (hasEnded() || child.pid === undefined) return;
      process.kill(-child.pid, 'SIGTERM');
      await end();
    },
  };
}
