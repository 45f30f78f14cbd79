import { posix } from 'node:path';
import { isObject, readJsonObject } from '../json.js';
import { outDirOf, type ReadText } from './ts-config.js';

/**
 * Where `nest build` may have put the default application, by nest-cli.json; best guess first. Empty
 * without a nest-cli.json.
 * @throws BadJsonError when nest-cli.json is no JSON object
 */
export function nestEntries(read: ReadText): string[] {
  const text = read('nest-cli.json');
  if (text === undefined) return [];
  const config = defaultProject(
    readJsonObject('nest-cli.json', text, 'Correct it, or use --entry.'),
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
      : // As `nest start` looks, then as webpack and a rootDir above src lay it out.
        [sourceRoot, '', root, posix.basename(sourceRoot)].map((below) =>
          posix.join(folder, below, `${entry}.js`),
        ),
  );
}

/** A monorepo says at the top which project is the default one, and the rest in `projects`. */
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
