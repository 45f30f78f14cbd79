import { posix } from 'node:path';
import { compilerOptionOf, type ReadText } from '../entry/out-dir.js';
import { isObject } from '../json.js';

/** Finds the source file of an import. Returns undefined if the import is a package. */
export type FindImport = (specifier: string, importer: string) => string | undefined;

/**
 * Returns a function that resolves imports in the same way as the compiler. The function applies
 * `paths` and `baseUrl` of the nearest tsconfig.json above the source folder.
 * @param sourceRoot the source folder
 */
export function importFinder(read: ReadText, sourceRoot: string): FindImport {
  const aliases = aliasesOf(read, sourceRoot);
  return (specifier, importer) => {
    const paths = specifier.startsWith('.')
      ? [posix.join(posix.dirname(importer), specifier)]
      : [...aliases(specifier), specifier];
    return paths
      .map((path) => path.replace(/\.[jt]s$/, ''))
      .flatMap((path) => [`${path}.ts`, `${path}/index.ts`])
      .find((path) => read(path) !== undefined);
  };
}

function aliasesOf(read: ReadText, sourceRoot: string): (specifier: string) => string[] {
  const configs = foldersAbove(sourceRoot).flatMap((folder) =>
    ['tsconfig.app.json', 'tsconfig.json'].map((name) => posix.join(folder, name)),
  );
  const optionOf = (name: string) =>
    configs.map((path) => compilerOptionOf(path, read, name)).find((found) => found !== undefined);
  const baseUrl = optionOf('baseUrl');
  const base =
    typeof baseUrl?.value === 'string' ? posix.join(baseUrl.folder, baseUrl.value) : undefined;
  const paths = optionOf('paths');
  const entries = isObject(paths?.value) ? Object.entries(paths.value) : [];
  return (specifier) => [
    ...entries.flatMap(([pattern, targets]) => {
      const rest = restOf(specifier, pattern);
      if (rest === undefined || !Array.isArray(targets)) return [];
      return targets
        .filter((target) => typeof target === 'string')
        .map((target) => posix.join(base ?? paths?.folder ?? '', target.replace('*', rest)));
    }),
    ...(base === undefined ? [] : [posix.join(base, specifier)]),
  ];
}

/**
 * Returns the part of an import path that `*` matches in a pattern such as `@app/*`. Returns
 * undefined if the pattern does not match.
 */
function restOf(specifier: string, pattern: string): string | undefined {
  const [head = '', tail] = pattern.split('*');
  if (tail === undefined) return specifier === pattern ? '' : undefined;
  const fits =
    specifier.length >= pattern.length - 1 &&
    specifier.startsWith(head) &&
    specifier.endsWith(tail);
  return fits ? specifier.slice(head.length, specifier.length - tail.length) : undefined;
}

function foldersAbove(folder: string): string[] {
  return folder === '.' || folder === '' ? ['.'] : [folder, ...foldersAbove(posix.dirname(folder))];
}
