import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { Source } from 'graphql';
import { McpOptionError } from '../mcp.errors.js';

/**
 * Reads the files that the option `files` selects. Each file is read once, and the files are sorted
 * by path. The name of a source is the path of its file, relative to the working directory.
 * @throws McpOptionError if a pattern matches no file
 */
export async function readOperationFiles(patterns: readonly string[]): Promise<readonly Source[]> {
  const paths = new Set<string>();
  for (const pattern of patterns) {
    const found = await matching(pattern);
    if (found.length === 0) throw nothingAt(pattern);
    for (const path of found) paths.add(path);
  }
  return Promise.all(
    [...paths]
      .toSorted()
      .map(async (path) => new Source(await readFile(path, 'utf8'), shownPath(path))),
  );
}

function shownPath(path: string): string {
  return relative(process.cwd(), path).replaceAll(sep, '/');
}

function nothingAt(pattern: string): McpOptionError {
  return new McpOptionError(
    `graphqlOperations({ files }) contains "${pattern}", but no .graphql file in ` +
      `${process.cwd()} matches. A build does not copy .graphql files by itself: use the folder in ` +
      'src, or copy the files with "assets" in nest-cli.json.',
  );
}

const PATTERN = /[*{]/;
const GRAPHQL = /\.(graphql|gql)$/;

async function matching(pattern: string): Promise<readonly string[]> {
  const segments = pattern.replaceAll('\\', '/').split('/');
  const first = segments.findIndex((segment) => PATTERN.test(segment));
  if (first === -1) return filesAt(resolve(pattern), GRAPHQL);
  const base = resolve(segments.slice(0, first).join('/') || (first === 0 ? '.' : '/'));
  const rest = expressionOf(segments.slice(first).join('/'));
  const files = await filesAt(base, /(?:)/);
  return files.filter((path) => rest.test(relative(base, path).replaceAll(sep, '/')));
}

/**
 * Returns the path itself if it is a file. For a folder, returns the matching files in the folder
 * and its subfolders. Skips node_modules.
 */
async function filesAt(path: string, names: RegExp): Promise<readonly string[]> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile()) return [path];
  if (!found?.isDirectory()) return [];
  const entries = await readdir(path, { withFileTypes: true });
  const below = await Promise.all(
    entries.map(async (entry): Promise<readonly string[]> => {
      if (entry.name === 'node_modules' || entry.name.startsWith('.')) return [];
      if (entry.isDirectory()) return filesAt(join(path, entry.name), names);
      return names.test(entry.name) ? [join(path, entry.name)] : [];
    }),
  );
  return below.flat();
}

/**
 * Converts a pattern to a regular expression. `**` matches any number of folders. `*` matches part
 * of a name.
 */
function expressionOf(pattern: string): RegExp {
  const source = pattern.replaceAll(/\*\*\/|\*\*|\*|[{},]|[^\w/-]/g, (token) => {
    if (token === '**/') return '(?:.*/)?';
    if (token === '**') return '.*';
    if (token === '*') return '[^/]*';
    return { '{': '(?:', '}': ')', ',': '|' }[token] ?? `\\${token}`;
  });
  return new RegExp(`^${source}$`);
}
