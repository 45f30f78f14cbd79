import { existsSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NotInstalledError } from '../cli.errors.js';
import { foldersUpward, projectFolder } from '../entry/project-folder.js';

export interface LaunchPlace {
  /** The path in `entry` is relative to this folder. */
  readonly from: string;
  /**
   * The folder to which the configuration applies: the folder of `.mcp.json`, or the parent folder
   * of `.cursor`.
   */
  readonly configFolder: string;
  readonly platform: NodeJS.Platform;
}

export interface LaunchCommand {
  readonly command: string;
  readonly args: readonly string[];
}

const MAIN = join('node_modules', '@fledge', 'cli', 'dist', 'main.js');
/**
 * Matches paths that a client cannot start later. Such paths are in the caches of npx, `pnpm dlx`
 * and `bunx`, or in archives of Yarn. Plain Node.js cannot read these archives.
 */
const OF_RUNNERS = /[\\/](_npx|dlx(-[^\\/]+)?|bunx-[^\\/]+)[\\/]|\.zip[\\/]/;
const RUNNING = fileURLToPath(new URL('../main.js', import.meta.url));
// With --no, npx fails if the package is not installed. Without --no, it would download the
// package.
const NPX = ['--no', '@fledge/cli'];

/**
 * Returns the command that clients use to start the application. Clients may run this command in
 * the folder of the configuration or in the folder of the application. It works in both folders.
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
  // On Windows, a client cannot run npx without a shell.
  const hasNpx = home !== undefined && platform !== 'win32';
  if (projectFolder(configFolder) === project && isWithin(project, configFolder)) {
    const args = ['mcp', 'start', ...entryArgs];
    if (hasNpx) return { command: 'npx', args: [...NPX, ...args] };
    const isBeside = home !== undefined && configFolder === project;
    return { command: 'node', args: [isBeside ? slashed(relative(project, main)) : main, ...args] };
  }
  // If the configuration is in the root of a repository, the path is relative. Clients start
  // servers in this folder, and a relative path stays valid if the repository moves. In other
  // folders, the path must be absolute.
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
 * Returns the path of the running program. Used if this package is not installed in the project,
 * for example if it is installed globally.
 * @throws NotInstalledError if a package runner downloaded the program only for this command
 */
function runningMain(project: string): string {
  if (OF_RUNNERS.test(RUNNING)) throw new NotInstalledError(project);
  return RUNNING;
}

/**
 * Searches a folder and its parent folders. Returns the nearest folder in which this package is
 * installed.
 */
function installedIn(folder: string): string | undefined {
  return foldersUpward(folder).find((each) => existsSync(join(each, MAIN)));
}

function isRoot(folder: string): boolean {
  return ['.git', 'package.json'].some((name) => existsSync(join(folder, name)));
}

function isWithin(outer: string, inner: string): boolean {
  return foldersUpward(inner).includes(outer);
}

/** Writes a path with slashes, which every operating system accepts. */
function slashed(path: string): string {
  return path.split(sep).join('/');
}
