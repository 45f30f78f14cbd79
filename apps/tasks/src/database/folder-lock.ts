import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Another process uses the data folder. Two processes would damage a PGlite folder. */
export class DataFolderInUseError extends Error {
  readonly code = 'TASKS_DATA_IN_USE';

  constructor(folder: string, pid: number, lock: string) {
    super(
      `The data folder ${folder} is in use by process ${pid}. Stop that process, or set TASKS_DATA ` +
        `to another folder. If no task API is running, delete ${lock}.`,
    );
  }
}

/**
 * Locks the data folder for this process.
 * @returns a function that unlocks it
 * @throws DataFolderInUseError
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const lock = join(folder, 'lock');
  const owner = await ownerOf(lock);
  // A lock with our own process id is left from an earlier start: in a container, every start has
  // the same id.
  if (owner !== undefined && owner !== process.pid && isRunning(owner)) {
    throw new DataFolderInUseError(folder, owner, lock);
  }
  await writeFile(lock, String(process.pid));
  return () => rm(lock, { force: true });
}

async function ownerOf(lock: string): Promise<number | undefined> {
  const text = await readFile(lock, 'utf8').catch(() => '');
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM means that the process exists but belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
