import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { lockFolder } from '../../src/database/folder-lock.js';

describe('lockFolder', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tasks-lock-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const left = (text: string) => writeFile(join(folder, 'lock'), text);
  const owner = () => readFile(join(folder, 'lock'), 'utf8');

  it('writes the process id, and removes the file on unlock', async () => {
    const unlock = await lockFolder(folder);
    expect(await owner()).toBe(String(process.pid));
    await unlock();
    expect(await readdir(folder)).toEqual([]);
  });

  it('refuses a folder that another process locked, and names that process and the cure', async () => {
    await left(String(process.ppid));
    await expect(lockFolder(folder)).rejects.toMatchObject({
      code: 'TASKS_DATA_IN_USE',
      message: expect.stringMatching(`in use by process ${process.ppid}\\. .*TASKS_DATA.*lock`),
    });
    expect(await owner()).toBe(String(process.ppid));
  });

  it.each([
    ['a process that ended', () => String(spawnSync(process.execPath, ['--version']).pid)],
    ['a process with our own id', () => String(process.pid)],
    ['an empty file', () => ''],
    ['no process id', () => '-1'],
  ])('takes over a lock left by %s', async (_, text) => {
    await left(text());
    await lockFolder(folder);
    expect(await owner()).toBe(String(process.pid));
  });
});
