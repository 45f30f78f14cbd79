// Installs the packages of a folder, as its lock file lists them. The repository, `start/`, `bench/`, `docs/` and `matrix/`
// have a lock file each, so an installation of one is not mistaken for an installation of another.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join, resolve } from 'node:path';
import { step } from './progress.mjs';

const STOPS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Installs what the lock file of a folder lists, unless it is installed. Ends the process if that fails.
 * @param options further options of `npm ci`
 */
export async function installIfNeeded(folder, options = []) {
  if (isInstalled(folder)) return;
  const wanted = Object.entries(lockedIn(folder, 'package-lock.json'))
    .filter(([, { optional }]) => !optional)
    .map(([path]) => join(folder, path, 'package.json'));
  const does = `Installing ${wanted.length} packages (npm ci)`;
  try {
    await step(does, (far) => {
      const timer = setInterval(() => {
        far(`${wanted.filter((file) => existsSync(file)).length} of ${wanted.length}`);
      }, 1000);
      return npmCi(folder, options).finally(() => clearInterval(timer));
    });
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}

/** Whether node_modules contains the packages of the lock file: those versions, no others. */
export function isInstalled(folder) {
  if (!existsSync(join(folder, 'node_modules/.package-lock.json'))) return false;
  const wanted = lockedIn(folder, 'package-lock.json');
  const present = lockedIn(folder, 'node_modules/.package-lock.json');
  return (
    Object.keys(present).every((path) => path in wanted) &&
    Object.entries(wanted).every(([path, { version, optional }]) =>
      // npm leaves out what is for other platforms.
      path in present ? present[path].version === version : optional === true,
    )
  );
}

/** Packages by their place in node_modules. Without workspaces, which are links. */
function lockedIn(folder, file) {
  const { packages } = JSON.parse(readFileSync(join(folder, file), 'utf8'));
  return Object.fromEntries(
    Object.entries(packages).filter(
      ([path, { link }]) => path.includes('node_modules/') && link !== true,
    ),
  );
}

/** @throws Error with what npm printed */
async function npmCi(folder, options) {
  const isWindows = process.platform === 'win32';
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error', ...options];
  const npm = spawn(isWindows ? 'npm.cmd' : 'npm', args, {
    cwd: resolve(folder),
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: isWindows,
  });
  // npm goes on for a while otherwise, also after Ctrl+C, and damages the next installation in this folder.
  const stop = (signal) => {
    npm.kill('SIGKILL');
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of STOPS) process.once(signal, stop);
  let output = '';
  for (const stream of [npm.stdout, npm.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => (output += text));
  }
  await new Promise((done, fail) => {
    npm.once('error', fail);
    npm.once('close', (code, signal) => {
      if (code === 0) done();
      else
        fail(
          new Error(
            `npm ci in ${resolve(folder)} ended with ${signal ?? `exit code ${code}`}:\n${output}`,
          ),
        );
    });
  });
  for (const signal of STOPS) process.removeListener(signal, stop);
}
