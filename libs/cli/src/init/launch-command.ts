import { existsSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NotInstalledError } from '../cli.errors.js';
import { foldersUpward, projectFolder } from '../entry/project-folder.js';

export interface LaunchPlace {
  /** The folder that `entry` is relative to. */
  readonly from: string;
  /** The folder that the configuration is for: that of `.mcp.json`, or the one above `.cursor`. */
  readonly configFolder: string;
  readonly platform: NodeJS.Platform;
}

export interface LaunchCommand {
  readonly command: string;
  readonly args: readonly string[];
}

const MAIN = join('node_modules', '@fledge', 'cli', 'dist', 'main.js');
/** The caches of npx, `pnpm dlx` and `bunx`, and the archives of Yarn, which Node.js does not read by itself. */
const OF_RUNNERS = /[\\/](_npx|dlx(-[^\\/]+)?|bunx-[^\\/]+)[\\/]|\.zip[\\/]/;
const RUNNING = fileURLToPath(new URL('../main.js', import.meta.url));
// With --no, npx fails if the package is not installed, instead of downloading it.
const NPX = ['--no', '@fledge/cli'];

/**
 * Returns the command with which clients start the application. Clients run it in the folder of the
 * configuration or in that of the application, and it works in both.
 *
 * @throws NotInstalledError
 */
export function launchCommand(
  { from, configFolder, platform }: LaunchPlace,
  entry?: string,
): LaunchCommand {
  const project = projectFolder(from);
  const entryArgs =
    entry === undefined ? [] : ['--entry', slashed(relative(project, resolve(from, entry)))];
  const home = installedIn(project);
  const main = home === undefined ? runningMain(project) : join(home, MAIN);
  // Windows has no npx that a client can run without a shell.
  const hasNpx = home !== undefined && platform !== 'win32';
  if (projectFolder(configFolder) === project && isWithin(project, configFolder)) {
    const args = ['mcp', 'start', ...entryArgs];
    if (hasNpx) return { command: 'npx', args: [...NPX, ...args] };
    const isBeside = home !== undefined && configFolder === project;
    return { command: 'node', args: [isBeside ? slashed(relative(project, main)) : main, ...args] };
  }
  // A relative path works only from the root of the repository: it moves with the application, and clients start
  // servers there. Other folders need an absolute path.
  const shown =
    isWithin(configFolder, project) && isRoot(configFolder)
      ? slashed(relative(configFolder, project))
      : project;
  const args = ['mcp', 'start', '--project', shown, ...entryArgs];
  if (shown !== project && hasNpx && installedIn(configFolder))
    return { command: 'npx', args: [...NPX, ...args] };
  return {
    command: 'node',
    args: [shown !== project && home ? slashed(relative(configFolder, main)) : main, ...args],
  };
}

/**
 * This program, for a project that has not installed it, such as one that is installed globally.
 * @throws NotInstalledError if a package runner fetched it for this command only
 */
function runningMain(project: string): string {
  if (OF_RUNNERS.test(RUNNING)) throw new NotInstalledError(project);
  return RUNNING;
}

/** Returns the nearest folder, looking upward, where this package is installed. */
function installedIn(folder: string): string | undefined {
  return foldersUpward(folder).find((each) => existsSync(join(each, MAIN)));
}

function isRoot(folder: string): boolean {
  return ['.git', 'package.json'].some((name) => existsSync(join(folder, name)));
}

function isWithin(outer: string, inner: string): boolean {
  return foldersUpward(inner).includes(outer);
}

/** Writes a path with slashes, which each operating system accepts. */
function slashed(path: string): string {
  return path.split(sep).join('/');
}
