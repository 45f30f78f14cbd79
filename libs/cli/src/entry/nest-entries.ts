import { posix } from 'node:path';
import { isObject, readJsonObject } from '../json.js';
import { outDirOf, type ReadText } from './out-dir.js';

/**
 * Returns the paths to which `nest build` may have written the default application. The most likely
 * path comes first. The paths depend on nest-cli.json. Returns an empty list if there is no
 * nest-cli.json.
 * @throws BadJsonError if nest-cli.json is not a JSON object
 */
export function nestEntries(read: ReadText): string[] {
  const text = read('nest-cli.json');
  if (text === undefined) return [];
  const config = defaultProject(
    readJsonObject('nest-cli.json', text, 'Correct the file, or use --entry.'),
  );
  const root = string(config['root']) ?? '';
  const sourceRoot = string(config['sourceRoot']) ?? 'src';
  const entry = (string(config['entryFile']) ?? 'main').replace(/\.[jt]s$/, '');
  const outDir = tsConfigsOf(config).reduce<string | undefined>(
    (found, path) => found ?? outDirOf(path, read),
    undefined,
  );
  return [outDir, 'dist'].flatMap((folder) =>
    folder === undefined
      ? []
      : // The layout of `nest start`, then those of webpack and of a rootDir above src.
        [sourceRoot, '', root, posix.basename(sourceRoot)].map((below) =>
          posix.join(folder, below, `${entry}.js`),
        ),
  );
}

/**
 * Returns the settings of the default project. In a monorepo, this is the entry of `projects` with
 * the same `root`.
 */
function defaultProject(config: Record<string, unknown>): Record<string, unknown> {
  const projects = isObject(config['projects']) ? Object.values(config['projects']) : [];
  const own = projects.filter(isObject).find(({ root }) => root === config['root']);
  return { ...config, ...own };
}

function tsConfigsOf(config: Record<string, unknown>): string[] {
  const options = isObject(config['compilerOptions']) ? config['compilerOptions'] : {};
  const named = string(options['tsConfigPath']);
  return named === undefined ? ['tsconfig.build.json', 'tsconfig.json'] : [named];
}

function string(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
