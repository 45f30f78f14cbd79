import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { root } from './snippets.js';

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

export interface Running {
  /** What it printed so far, on both streams. */
  readonly output: () => string;
  /** Throws with its output if it has ended. */
  mustRun(): void;
  /** Waits until something is printed. */
  until(pattern: RegExp): Promise<RegExpExecArray>;
  stop(): Promise<void>;
}

/** Starts a command at the root of the repository, in a process group of its own. */
export function start(command: string, args: string[], env: Record<string, string> = {}): Running {
  const child: ChildProcess = spawn(command, args, {
    cwd: root,
    env: { ...process.env, NODE_OPTIONS: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let printed = '';
  child.stdout?.on('data', (chunk: Buffer) => (printed += String(chunk)));
  child.stderr?.on('data', (chunk: Buffer) => (printed += String(chunk)));
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;

  return {
    output: () => printed,
    mustRun() {
      if (hasEnded()) throw new Error(`It ended:\n${printed}`);
    },
    async until(pattern) {
      for (let ended = false; ;) {
        const found = pattern.exec(printed);
        if (found) return found;
        if (ended) throw new Error(`It ended before ${pattern}:\n${printed}`);
        // When a process ends, its last output may still be in the pipe: one more turn.
        ended = hasEnded();
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    async stop() {
      if (hasEnded() || child.pid === undefined) return;
      const ended = once(child, 'exit');
      process.kill(-child.pid, 'SIGTERM');
      await ended;
    },
  };
}
