import { execFile, execFileSync } from 'node:child_process';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Has Prisma's command, one migration, and a configuration of the engine that needs no binary. */
export const PRISMA_PROJECT = fileURLToPath(new URL('.', import.meta.url));

/** Installs Prisma, once. Prisma looks for the engines that it would download, but runs neither. */
export function preparePrisma(): void {
  const installed = join(PRISMA_PROJECT, 'node_modules/.package-lock.json');
  const locked = join(PRISMA_PROJECT, 'package-lock.json');
  if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(locked).mtimeMs) {
    const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
    execFileSync('npm', args, { cwd: PRISMA_PROJECT, stdio: ['ignore', 'ignore', 'inherit'] });
  }
  const library = join(PRISMA_PROJECT, 'node_modules/no-engine.so.node');
  writeFileSync(library, '');
  process.env['PRISMA_QUERY_ENGINE_LIBRARY'] = library;
  process.env['PRISMA_SCHEMA_ENGINE_BINARY'] = '/bin/true';
  process.env['CHECKPOINT_DISABLE'] = '1';
}

export async function resolveRolledBack(migration: string, url: string): Promise<void> {
  const args = ['node_modules/prisma/build/index.js', 'migrate', 'resolve', '--rolled-back'];
  await promisify(execFile)(process.execPath, [...args, migration], {
    cwd: PRISMA_PROJECT,
    env: { ...process.env, NODE_OPTIONS: '', DATABASE_URL: url },
  });
}
