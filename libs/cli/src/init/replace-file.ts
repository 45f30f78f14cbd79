import { chmodSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';

/** Writes a file whole or not at all. A link stays a link, and the mode of the file stays. */
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
