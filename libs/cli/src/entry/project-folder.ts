import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Returns the folder of the application: `from` or its nearest parent folder with a package.json.
 * If there is none, returns `from`. Clients start servers in the folder of their configuration file
 * or in the project folder.
 */
export function projectFolder(from: string): string {
  return foldersUpward(from).find((folder) => existsSync(join(folder, 'package.json'))) ?? from;
}

/** Returns a folder, then its parent folders from the nearest upward. */
export function foldersUpward(from: string): string[] {
  const above = dirname(from);
  return above === from ? [from] : [from, ...foldersUpward(above)];
}
