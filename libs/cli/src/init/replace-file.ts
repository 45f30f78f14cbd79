import { chmodSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';

/** Replaces a file atomically. Keeps symbolic links and the mode of the file. */
export function replaceFile(path: string, text: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  const target = stats === undefined ? path : realpathSync(path);
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
