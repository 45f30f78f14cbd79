import { existsSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { foldersUpward, projectFolder } from '../entry/project-folder.js';

export interface LaunchCommand {
  readonly command: string;
  readonly args: readonly string[];
}

const MAIN = join('node_modules', '@fledge', 'cli', 'dist', 'main.js');
const RUNNING = fileURLToPath(new URL('../main.js', import.meta.url));
// With --no, npx fails if the package is not installed, instead of downloading it.
const NPX = ['--no', '@fledge/cli'];

/**
 * Returns the command with which clients start the application. Clients run it in the folder of the
 * configuration or in that of the application, and it works in both.
 *
 * @param from the folder that `entry` is relative to
 * @param configFolder the folder that the configuration is for: that of `.mcp.json`, or the one above `.cursor`
 */
export function launchCommand(from: string, configFolder: string, entry?: string): LaunchCommand {
  const project = projectFolder(from);
  const entryArgs =
    entry === undefined ? [] : ['--entry', slashed(relative(project, resolve(from, entry)))];
  if (projectFolder(configFolder) === project && isWithin(project, configFolder)) {
    return { command: 'npx', args: [...NPX, 'mcp', 'start', ...entryArgs] };
  }
  // A relative path works only from the root of the repository: it moves with the application, and clients start
  // servers there. Other folders need an absolute path.
  const shown =
    isWithin(configFolder, project) && isRoot(configFolder)
      ? slashed(relative(configFolder, project))
      : project;
  const args = ['mcp', 'start', '--project', shown, ...entryArgs];
  if (shown !== project && installedIn(configFolder))
    return { command: 'npx', args: [...NPX, ...args] };
  const home = installedIn(project);
  const main = home === undefined ? RUNNING : join(home, MAIN);
  return {
    command: 'node',
    args: [shown !== project && home ? slashed(relative(configFolder, main)) : main, ...args],
  };
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
