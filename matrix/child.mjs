// Child processes with a time limit. Each leads a group of processes, which ends as a whole.
import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { setTimeout as after } from 'node:timers/promises';

const running = new Set();
let stopped = false;

/** Starts a command; what it writes is appended to the file `log`, and `output` returns it. */
export function start(command, args, { cwd, env = {}, log }) {
  if (stopped) throw new Error('The matrix was stopped.');
  const file = createWriteStream(log, { flags: 'a' });
  const started = Date.now();
  file.write(`\n$ ${[command, ...args].join(' ')}\n`);
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
      file.write(chunk);
    });
  }
  const ended = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? signal));
  }).finally(() => {
    running.delete(child);
    file.end(`# ${((Date.now() - started) / 1000).toFixed(1)} s\n`);
  });
  ended.catch(() => {}); // reported to those who wait for it
  return { child, ended, output: () => text };
}

/** Runs a command to its end. Throws if it fails or takes longer than `seconds`. */
export async function run(command, args, { seconds, ...options }) {
  const { child, ended, output } = start(command, args, options);
  const timer = new AbortController();
  const late = after(seconds * 1000, 'late', { signal: timer.signal }).catch(() => {});
  const code = await Promise.race([ended, late]);
  timer.abort();
  if (code === 'late') await end(child, 'SIGKILL');
  if (code !== 0) throw new CommandError([command, ...args].join(' '), code, seconds, output());
  return output();
}

/** Ends the process and the processes it has started. */
export function end(child, signal = 'SIGTERM') {
  if (!running.has(child)) return;
  const closed = new Promise((resolve) => child.once('close', resolve));
  try {
    process.kill(-child.pid, signal);
  } catch {
    child.kill(signal);
  }
  return closed;
}

/** Ends what runs; nothing can be started from then on. */
export function endAll() {
  stopped = true;
  return Promise.all([...running].map((child) => end(child, 'SIGKILL')));
}

export class CommandError extends Error {
  constructor(command, code, seconds, output) {
    const fact = code === 'late' ? `took more than ${seconds} seconds` : `ended with ${code}`;
    super(`\`${command}\` ${fact}. ${lastLines(output)}`);
    this.expected = 'exit code 0';
    this.actual = code;
    this.output = output;
  }
}

const lastLines = (text) => text.trim().split('\n').slice(-12).join('\n');
