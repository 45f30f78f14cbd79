// `npm start`: installs what the demo needs, unless that or all of the repository is installed, builds it and starts it.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installIfNeeded, isInstalled } from '../scripts/install.mjs';
import { step } from '../scripts/progress.mjs';

const here = import.meta.dirname;
const root = fileURLToPath(new URL('..', import.meta.url));

if (!isInstalled(root)) await installIfNeeded(here, ['--ignore-scripts']);
else if (!isInstalled(here)) {
  // Packages of an earlier lock file would come before those of the repository.
  rmSync(join(here, 'node_modules'), { recursive: true, force: true });
}
// In a process of its own, so that the demo does not keep the memory of the bundlers.
await step('Building the demo and its pages', {
  command: process.execPath,
  args: [join(here, 'build.mjs')],
});
console.error('Starting the demo and its database');
// In this process: one that forwards signals would be one more that can be left behind.
await import('./dist/main.js');
