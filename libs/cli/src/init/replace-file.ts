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

/**
 * Replaces a file atomically. Keeps the file's mode. A symbolic link stays a link, even if the
 * target of the link is missing.
 */
export function replaceFile(path: string, text: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  const target = stats === undefined ? missingTarget(path) : realpathSync(path);
  const temporary = `${target}.${process.pid}.tmp`;
  try {
    // Until chmod below, only the user may read the file, because the old file may be private.
    writeFileSync(temporary, text, { flag: 'wx', ...(stats !== undefined && { mode: 0o600 }) });
    if (stats !== undefined) chmodSync(temporary, stats.mode);
    moveOnto(target, temporary, text);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/**
 * A mounted file cannot be replaced, for example in a container. Instead, the content of the file
 * is overwritten.
 */
function moveOnto(target: string, temporary: string, text: string): void {
  try {
    renameSync(temporary, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EBUSY') throw error;
    writeFileSync(target, text);
    rmSync(temporary, { force: true });
  }
}

/** Follows symbolic links to a target that does not exist. */
function missingTarget(path: string, links = 0): string {
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  if (!isLink || links > MOST_LINKS) return path;
  return missingTarget(resolve(dirname(path), readlinkSync(path)), links + 1);
}

/** Linux follows at most this many symbolic links. */
const MOST_LINKS = 40;
