import { spawn } from 'node:child_process';
import { once } from 'node:events';

const children = new Set();

// Whatever ends this process ends what it started.
process.on('exit', () => children.forEach((child) => child.kill('SIGKILL')));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));

/** Ends the run with what a reader can do something about. */
export function fail(message) {
  console.error(message);
  process.exit(1);
}

/** Starts a command of Node.js. What it prints is kept; `onOutput` is called whenever there is more. */
export function start(node, args, { timeoutMs, onOutput = () => undefined } = {}) {
  const child = spawn(node, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    killSignal: 'SIGKILL',
    ...(timeoutMs && { timeout: timeoutMs }),
  });
  children.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
      onOutput(output);
    });
  }
  const ended = once(child, 'close').then(([code, signal]) => {
    children.delete(child);
    return { code, signal, output };
  });
  return { ended, kill: (signal) => child.kill(signal) };
}
