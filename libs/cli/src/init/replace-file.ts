import {
  chmodSync,
  lstatSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Replaces a file atomically. Keeps symbolic links, also one whose target does not exist yet, and the mode of the file. */
export function replaceFile(path: string, text: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  const target = stats === undefined ? missingTarget(path) : realpathSync(path);
  const temporary = `${target}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, text, { flag: 'wx' });
    if (stats !== undefined) chmodSync(temporary, stats.mode);
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Follows symbolic links to the file that they name, which does not exist. */
function missingTarget(path: string, links = 0): string {
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  if (!isLink || links > MOST_LINKS) return path;
  return missingTarget(resolve(dirname(path), readlinkSync(path)), links + 1);
}

/** As in Linux. */
const MOST_LINKS = 40;
