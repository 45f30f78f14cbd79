import type { Sources } from './exported-class.js';

/**
 * Returns a source file and every source file that it imports, directly or indirectly. Includes the
 * libraries of a monorepo.
 */
export function loadedBy(entry: string, { read, find, compiler }: Sources): ReadonlySet<string> {
  const found = new Set([entry]);
  // The loop also visits paths that its body adds to the set.
  for (const path of found) {
    const { importedFiles } = compiler.preProcessFile(read(path) ?? '', true, true);
    for (const { fileName } of importedFiles) {
      const file = find(fileName, path);
      if (file !== undefined) found.add(file);
    }
  }
  return found;
}
