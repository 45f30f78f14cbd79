import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, sep } from 'node:path';

/** Returns the version of an installed package, for messages. Undefined if it is not found, such as in a bundle. */
export function installedVersion(name: string): string | undefined {
  try {
    const file = createRequire(import.meta.url).resolve(name);
    const folder = join('node_modules', name) + sep;
    const end = file.lastIndexOf(folder) + folder.length;
    const manifest = readFileSync(join(file.slice(0, end), 'package.json'), 'utf8');
    return (JSON.parse(manifest) as { readonly version?: string }).version;
  } catch {
    // Not installed where this package looks for it.
    return undefined;
  }
}
