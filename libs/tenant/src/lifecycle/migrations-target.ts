import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { TenantOptionError } from '../tenant.errors.js';

/**
 * Returns a name for a set of migrations, such as `0004_notes#1f2e3d4c`. The name contains the last
 * migration and a hash of all migrations. Pass the name as `target`. Tenants that already have
 * these migrations are then skipped.
 * @param migrations the names of the migrations, or a folder. For a folder, the names of the files
 * are used, but not the content of the files
 * @throws TenantOptionError if the folder cannot be read
 */
export function migrationsTarget(migrations: string | readonly string[]): string {
  const names = typeof migrations === 'string' ? namesIn(migrations) : migrations;
  const sorted = [...new Set(names)].toSorted();
  const hash = createHash('sha256').update(JSON.stringify(sorted)).digest('hex').slice(0, 8);
  return `${sorted.at(-1) ?? 'none'}#${hash}`;
}

/** Returns the same names for `src` and `dist`. Ignores files that compilers add. */
function namesIn(folder: string): string[] {
  let files;
  try {
    files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  } catch (error) {
    const reason = (error as Error).message;
    throw new TenantOptionError(
      `migrationsTarget(${JSON.stringify(folder)}) cannot read the folder: ${reason}.`,
    );
  }
  return files
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !/(\.d\.[cm]?ts|\.map|_snapshot\.json|_journal\.json)$/.test(file))
    .map((file) => file.replace(/\.([cm]?[jt]s|sql)$/, ''))
    .filter((file) => file !== 'meta');
}
