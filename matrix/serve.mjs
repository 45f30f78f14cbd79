// Starts an application, runs the checks against it, and expects it to end after SIGTERM.
import { setTimeout as after } from 'node:timers/promises';
import { CHECKS } from './checks.mjs';
import { end, start } from './child.mjs';

const START_SECONDS = 30;
const CHECK_SECONDS = 20;
const END_SECONDS = 10;

/** Returns what failed: `{ check, expected, found, message }` each. */
export async function runChecks({ app, node, platform, log }) {
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
    for (const { name, check } of CHECKS) await step(name, CHECK_SECONDS, () => check(url));
    await step('close', END_SECONDS, () => end(server.child, 'SIGTERM'));
    return failures;
  } finally {
    await end(server.child, 'SIGKILL');
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
