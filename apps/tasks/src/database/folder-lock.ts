import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The data folder is open in another process. PGlite would share it, and damage it. */
export class DataFolderInUseError extends Error {
  readonly code = 'TASKS_DATA_IN_USE';

  constructor(folder: string, pid: number, lock: string) {
    super(
      `The data folder ${folder} is in use by process ${pid}. Stop that process, or set TASKS_DATA ` +
        `to another folder. If no task API is running, delete ${lock}.`,
    );
  }
}

/** Takes the data folder for this process. The function returned gives it back. */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const lock = join(folder, 'lock');
  const owner = await ownerOf(lock);
  // A lock with our own number is left over: containers number their processes alike on each start.
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
    // EPERM: it runs, as another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
