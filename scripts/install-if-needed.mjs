// Runs before `npm test` and the like: installs the packages of the repository, unless they are installed, so that a
// fresh clone needs no step of its own. `npm start` installs fewer (start/run.mjs).
import { compileSqlite, installIfNeeded } from './install.mjs';

if (await installIfNeeded('.', ['--ignore-scripts'])) await compileSqlite();
