import type { Sources } from './exported-class.js';

/** Returns the source files that a file loads, with itself, such as those of libraries in a monorepo. */
export function loadedBy(entry: string, { read, find, compiler }: Sources): ReadonlySet<string> {
  const found = new Set([entry]);
  // A set iterates over what is added meanwhile.
  for (const path of found) {
    const { importedFiles } = compiler.preProcessFile(read(path) ?? '', true, true);
    for (const { fileName } of importedFiles) {
      const file = find(fileName, path);
      if (file !== undefined) found.add(file);
    }
  }
  return found;
}
