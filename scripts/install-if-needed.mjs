// Runs before `npm test` and similar commands. Installs the packages of the repository unless they
// are installed, so a fresh clone needs no extra step. `npm start` installs fewer packages
// (start/run.mjs).
import { compileSqlite, installIfNeeded } from './install.mjs';

if (await installIfNeeded('.', ['--ignore-scripts'])) await compileSqlite();
