// Runs the long steps of a command and shows their progress: on a terminal in one line that is
// updated, in a log in separate lines.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { clearInterval, setInterval } from 'node:timers';

const SECONDS_BETWEEN_LINES = 10;
const STOPS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a program as a step. Prints its output after it has ended. If it fails, this process exits
 * with its exit code.
 * @param does what the step does, such as `Installing 318 packages`
 * @param program `command`, `args` and `options` of spawn. `progress` returns the current progress,
 * such as `120 of 318`. If `otherwise` is set, a failure prints this text and the process continues
 */
export async function step(does, program) {
  const { command, args, options, progress = () => '', otherwise } = program;
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const line = showing(does, progress);
  // This process kills npm itself: after Ctrl+C, npm would continue for a while and damage the next
  // installation.
  const stop = (signal) => {
    child.kill('SIGKILL');
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of STOPS) process.once(signal, stop);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => (output += text));
  }
  const [code, signal] = await once(child, 'close');
  for (const name of STOPS) process.removeListener(name, stop);
  line.end(code === 0 ? 'done' : `failed (${signal ?? `exit code ${code}`})`);
  if (code !== 0 && otherwise !== undefined) {
    process.stderr.write(`${otherwise}\n`);
    return;
  }
  process.stderr.write(output);
  if (code !== 0) process.exit(code ?? 1);
}

/** Shows the progress of a step until the step ends. */
function showing(does, progress) {
  const out = process.stderr;
  const start = Date.now();
  const seconds = () => Math.round((Date.now() - start) / 1000);
  let said = 0;
  if (!out.isTTY) out.write(`${does} ...\n`);
  const timer = setInterval(() => {
    if (!out.isTTY && seconds() - said < SECONDS_BETWEEN_LINES) return;
    said = seconds();
    const line = [does, progress(), `${said} s`].filter((part) => part !== '').join(', ');
    out.write(out.isTTY ? `\r\u001b[K${line.slice(0, (out.columns || 80) - 1)}` : `${line}\n`);
  }, 500);
  return {
    end(how) {
      clearInterval(timer);
      out.write(`${out.isTTY ? '\r\u001b[K' : ''}${does}: ${how} after ${seconds()} s\n`);
    },
  };
}
