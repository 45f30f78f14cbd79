import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { foldersUpward, projectFolder } from '../entry/project-folder.js';
import type { ServerEntry } from './mcp-config.js';

const MAIN = join('node_modules', '@fledge', 'cli', 'dist', 'main.js');
const RUNNING = fileURLToPath(new URL('../main.js', import.meta.url));
// --no: where the package is not installed, npx refuses instead of fetching it.
const NPX = ['--no', '@fledge/cli'];

/**
 * The command by which a client starts the application. It works in the folder of the configuration, and
 * in that of the application, which are where clients start it.
 *
 * @param from the folder in which `entry` was named
 * @param file absolute path of the configuration that will hold the command
 */
export function startCommand(from: string, file: string, entry?: string): ServerEntry {
  const project = projectFolder(from);
  const place = dirname(file);
  const entryArgs =
    entry === undefined ? [] : ['--entry', slashed(relative(project, resolve(from, entry)))];
  if (projectFolder(place) === project && isWithin(project, place)) {
    return { command: 'npx', args: [...NPX, 'mcp', 'start', ...entryArgs] };
  }
  // Above the application only the root of a repository moves together with it, and only there clients start
  // servers in the folder of the file: everywhere else a path has to be absolute.
  const shown =
    isWithin(place, project) && isRoot(place) ? slashed(relative(place, project)) : project;
  const args = ['mcp', 'start', '--project', shown, ...entryArgs];
  if (shown !== project && installedIn(place)) return { command: 'npx', args: [...NPX, ...args] };
  const home = installedIn(project);
  const main = home === undefined ? RUNNING : join(home, MAIN);
  return {
    command: 'node',
    args: [shown !== project && home ? slashed(relative(place, main)) : main, ...args],
  };
}

/** The nearest folder, looking upward, in which this package is installed. */
function installedIn(folder: string): string | undefined {
  return foldersUpward(folder).find((each) => existsSync(join(each, MAIN)));
}

function isRoot(folder: string): boolean {
  return ['.git', 'package.json'].some((name) => existsSync(join(folder, name)));
}

function isWithin(outer: string, inner: string): boolean {
  return foldersUpward(inner).includes(outer);
}

/** A path that a shared file can hold on every system. */
function slashed(path: string): string {
  return path.split(sep).join('/');
}
