// `npm start`: installs what the demo needs, unless that or all of the repository is installed, and builds it.
// The demo is start/dist/main.js then.
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
// What it imports is there only now.
await step('Building the demo and its pages', async () => (await import('./build.mjs')).build());
