// Starts an application, runs the checks against it, and expects it to end after SIGTERM.
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';
import { CHECKS } from './checks.mjs';
import { end, start } from './child.mjs';

const START_SECONDS = 30;
const CHECK_SECONDS = 20;
export const END_SECONDS = 10;

/** Returns what failed: `{ check, expected, found, message }` each. */
export async function runChecks({ app, node, platform, log, checks = CHECKS }) {
  const env = { PLATFORM: platform, PORT: '0', NO_COLOR: '1' };
  const server = start(node, ['dist/main.js'], { cwd: app, env, log });
  const failures = [];
  const step = async (check, seconds, work) => {
    const stop = new AbortController();
    const late = after(seconds * 1000, undefined, { signal: stop.signal }).then(() => {
      throw new Error(`No end after ${seconds} seconds.`);
    });
    late.catch(() => {});
    try {
      return await Promise.race([work(), late]);
    } catch (error) {
      failures.push({
        check,
        expected: error.expected,
        found: error.actual,
        message: error.message,
      });
    } finally {
      stop.abort();
    }
  };
  try {
    const url = await step('start', START_SECONDS, () => addressOf(server));
    if (url === undefined) return failures;
    for (const { name, check, seconds = CHECK_SECONDS } of checks)
      await step(name, seconds, () => check(url, server));
    await step('close', END_SECONDS, () => end(server.child, 'SIGTERM'));
    return failures;
  } finally {
    await end(server.child, 'SIGKILL');
  }
}

/**
 * Starts an application that prints no address. Stops it after `work(url)`.
 * @param how `command` by which it is started, and the `seconds` that it may take
 */
export async function withServer({ app, log, ...how }, work) {
  const { command = [process.execPath, 'dist/main.js'], seconds = START_SECONDS } = how;
  const port = await freePort();
  const env = { PORT: String(port), NO_COLOR: '1' };
  const [program, ...args] = command;
  const server = start(program, args, { cwd: app, env, log });
  try {
    const url = `http://127.0.0.1:${port}`;
    await answering(url, server, seconds);
    return await work(url);
  } finally {
    await end(server.child, 'SIGKILL');
  }
}

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** Waits until an application answers. Throws if it ends, or takes too long. */
export async function answering(url, { ended, output }, seconds) {
  const stop = new AbortController();
  const dead = ended.then((code) => `It ended with ${code}.`);
  const late = after(seconds * 1000, 'It did not listen in time.', { signal: stop.signal });
  late.catch(() => {});
  try {
    for (;;) {
      if (
        await fetch(url).then(
          () => true,
          () => false,
        )
      )
        return;
      const fact = await Promise.race([dead, late, after(100, undefined)]);
      if (fact) throw new Error(`${fact} ${output().slice(-1500)}`);
    }
  } finally {
    stop.abort();
  }
}

function addressOf({ child, ended, output }) {
  return new Promise((resolve, reject) => {
    const read = () => {
      const found = /listening on (\S+)/.exec(output());
      if (found) resolve(found[1].replace('[::1]', '127.0.0.1'));
    };
    child.stdout.on('data', read);
    ended.then(
      (code) =>
        reject(
          new Error(
            `The application ended with ${code} before it listened. ${output().slice(-1500)}`,
          ),
        ),
      reject,
    );
  });
}
