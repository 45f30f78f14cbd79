import { readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { BadOptionError, FileError } from '../cli.errors.js';
import { projectFolder } from '../entry/project-folder.js';
import { isObject } from '../json.js';
import { styled, terminalOf } from '../output/terminal.js';
import { type Merged, mergeServer } from './mcp-config.js';
import { replaceFile } from './replace-file.js';
import { launchCommand } from './launch-command.js';

export interface InitOptions {
  readonly name?: string;
  readonly out: string;
  readonly http?: string;
  readonly entry?: string;
  readonly force?: true;
}

/** Writes the application into `.mcp.json`, which MCP clients read. */
export function init({ name = projectName(), out, http, entry, force }: InitOptions): void {
  if (name.trim() === '') throw new BadOptionError('--name', name, 'a name that is not blank');
  const file = resolve(out);
  const merged = mergeServer(textOf(file, out), {
    file: out,
    name,
    entry:
      http === undefined ? launchCommand(process.cwd(), file, entry) : { type: 'http', url: http },
    onConflict: force ? 'replace' : 'refuse',
  });
  if (merged.kind !== 'up-to-date') {
    try {
      replaceFile(file, merged.text);
    } catch (error) {
      throw new FileError(out, 'written', error);
    }
  }
  process.stdout.write(`${outcome(merged.kind, name, out)}\n`);
}

/** Returns the name in package.json without its scope, otherwise the name of the folder. */
function projectName(): string {
  const folder = projectFolder(process.cwd());
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const name = isObject(manifest) ? manifest['name'] : undefined;
    if (typeof name === 'string' && name !== '') return name.replace(/^@[^/]*\//, '');
  } catch {
    // Without a readable package.json, use the name of the folder.
  }
  return basename(folder);
}

function textOf(file: string, shown: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new FileError(shown, 'read', error);
  }
}

function outcome(kind: Merged['kind'], name: string, file: string): string {
  const terminal = terminalOf(process.stdout);
  const server = styled(terminal, 'cyan', name);
  switch (kind) {
    case 'created':
      return `Wrote ${file} with the server ${server}.`;
    case 'added':
      return `Added the server ${server} to ${file}.`;
    case 'replaced':
      return `Replaced the server ${server} in ${file}.`;
    case 'up-to-date':
      return `${file} is up to date: it has the server ${server}.`;
  }
}
