import { dirname, join, relative, resolve, sep } from 'node:path';
import { BadOptionError } from '../cli.errors.js';
import type { ClientId } from './client-ids.js';
import { CLIENTS, clientOf, type McpClient } from './clients.js';

/** A file that is written, and the client that reads this file. */
export interface Target {
  readonly client: McpClient;
  /** Absolute path. */
  readonly file: string;
  /** The path for messages. */
  readonly shown: string;
  /** The folder in which the client starts servers. */
  readonly folder: string;
  /** If true, missing folders are created. False if `--out` sets the file. */
  readonly makeFolder: boolean;
}

export interface Place {
  /** The current folder. `--out` is relative to it. */
  readonly current: string;
  /** The project folder, which contains the project files of clients. */
  readonly folder: string;
  /** The user's home folder. */
  readonly homeFolder: string;
  /** The paths of files in the user's home, by client id. */
  readonly home: Readonly<Record<string, string>>;
  readonly exists: (path: string) => boolean;
}

const IN_HOME =
  'set, because the project folder is your home folder. Or run the command in the folder of your application';

/**
 * Selects the files to write. A file in the user's home is written only if `ids` contains its
 * client.
 * @param ids the clients. If undefined: Claude Code, and every client that has a folder in the
 * project
 * @throws BadOptionError if several clients would write to the file in `out`, or if the project
 * folder is the user's home and no client is named
 */
export function targetsOf(
  ids: readonly ClientId[] | undefined,
  out: string | undefined,
  place: Place,
): Target[] {
  if (out === '') throw new BadOptionError('--out', out, 'the path of a file');
  if (out !== undefined) {
    const [id = 'claude-code', ...others] = ids ?? [];
    if (others.length === 0) return [outTarget(clientOf(id), out, place)];
    throw new BadOptionError('--out', out, 'omitted, or used with only one client');
  }
  // In the home folder, `.cursor/mcp.json` and similar files apply to every project of the user.
  if (ids === undefined && place.folder === place.homeFolder) {
    throw new BadOptionError('--client', undefined, IN_HOME);
  }
  const clients =
    ids?.map(clientOf) ??
    CLIENTS.filter((client) => client.id === 'claude-code' || hasFolder(client, place));
  return clients.map((client) => targetOf(client, place));
}

function hasFolder({ projectFile = '' }: McpClient, { folder, exists }: Place): boolean {
  return projectFile.includes('/') && exists(join(folder, dirname(projectFile)));
}

function targetOf(client: McpClient, place: Place): Target {
  const home = place.home[client.id];
  const { projectFile } = client;
  if (projectFile !== undefined && (home === undefined || hasFolder(client, place))) {
    const file = join(place.folder, projectFile);
    const shown = relative(place.current, file).split(sep).join('/');
    return { client, file, shown, folder: place.folder, makeFolder: true };
  }
  const file = home as string;
  return { client, file, shown: file, folder: dirname(file), makeFolder: true };
}

function outTarget(client: McpClient, out: string, place: Place): Target {
  const file = resolve(place.current, out);
  // A path such as `../../.cursor/mcp.json` is outside the project, so it is not a project file.
  const parts = client.projectFile?.split('/') ?? [];
  const above = resolve(file, ...parts.map(() => '..'));
  const folder = join(above, ...parts) === file ? above : dirname(file);
  return { client, file, shown: out, folder, makeFolder: false };
}
