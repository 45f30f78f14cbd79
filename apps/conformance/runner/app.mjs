import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { fail, start } from './processes.mjs';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const START_MS = 60_000;
const STOP_MS = 10_000;

/** Starts the app on a free port; resolves once it listens. */
export async function startApp(platform) {
  let onOutput;
  const listening = new Promise((resolve) => {
    onOutput = (output) => {
      const url = /^http:\S+$/m.exec(output)?.[0];
      if (url) resolve({ url });
    };
  });
  const app = start(process.execPath, [MAIN, platform], { onOutput });
  const { url, output } = await Promise.race([
    listening,
    app.ended,
    pause(START_MS, { output: `(silent for ${START_MS} ms)` }, { ref: false }),
  ]);
  if (!url) fail(`apps/conformance did not start on ${platform}:\n${output}`);
  return {
    url,
    async stop() {
      app.kill('SIGTERM');
      const kill = pause(STOP_MS, undefined, { ref: false }).then(() => app.kill('SIGKILL'));
      await Promise.race([app.ended, kill.then(() => app.ended)]);
    },
  };
}
