import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { TenantOptionError } from '../tenant.errors.js';

/**
 * Names a set of migrations: the last one and a hash of all, such as `0004_notes#1f2e3d4c`. Give it to
 * `target`, so that tenants which have these migrations are not called again.
 * @param migrations a folder, whose file names count, not their content; or the names of the migrations
 * @throws TenantOptionError if the folder cannot be read
 */
export function migrationsTarget(migrations: string | readonly string[]): string {
  const names = typeof migrations === 'string' ? namesIn(migrations) : migrations;
  const sorted = [...new Set(names)].toSorted();
  const hash = createHash('sha256').update(JSON.stringify(sorted)).digest('hex').slice(0, 8);
  return `${sorted.at(-1) ?? 'none'}#${hash}`;
}

/** The same in `src` and in `dist`: without extensions, and without what compilers add. */
function namesIn(folder: string): string[] {
  let files;
  try {
    files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  } catch (error) {
    const reason = (error as Error).message;
    throw new TenantOptionError(`migrationsTarget(${JSON.stringify(folder)}): ${reason}.`);
  }
  return files
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !/(\.d\.[cm]?ts|\.map|_snapshot\.json|_journal\.json)$/.test(file))
    .map((file) => file.replace(/\.([cm]?[jt]s|sql)$/, ''))
    .filter((file) => file !== 'meta');
}
