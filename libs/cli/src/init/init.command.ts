import { isUtf8 } from 'node:buffer';
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { homedir, platform } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { BadOptionError, FileError } from '../cli.errors.js';
import { projectFolder } from '../entry/project-folder.js';
import { isObject } from '../json.js';
import { styled, terminalOf } from '../output/terminal.js';
import type { ClientId } from './client-ids.js';
import { CLIENTS, type HttpServer, type McpServer } from './clients.js';
import { homeFiles } from './home-files.js';
import { installLinks } from './install-links.js';
import { launchCommand } from './launch-command.js';
import { type Merged, mergeServers, onlyServers } from './merge-servers.js';
import { replaceFile } from './replace-file.js';
import { httpServers, NEEDS_HTTP, type ServerOptions } from './http-servers.js';
import { type Target, targetsOf } from './targets.js';

export interface InitOptions extends ServerOptions {
  readonly client?: readonly ClientId[];
  readonly out?: string;
  readonly entry?: string;
  readonly force?: true;
  readonly print?: true;
  readonly links?: true;
}

/** Adds the application to the configuration files of MCP clients, or prints the text to add. */
export function init(options: InitOptions): void {
  const http = httpServers(options, projectName());
  if (options.links) return print(linksOf(http));
  const targets = targetsOf(options.client, options.out, {
    current: process.cwd(),
    folder: projectFolder(process.cwd()),
    homeFolder: homedir(),
    home: homeFiles({ platform: platform(), home: homedir(), env: process.env }),
    exists: existsSync,
  });
  const plans = targets.map((target) => ({
    target,
    servers: http.length > 0 ? http : [startedServer(target, options)],
  }));
  if (options.print) return print(snippets(plans));
  // All contents are prepared before the first file is written. If there is an error, every file
  // stays unchanged.
  const merged = plans.map((plan) => ({ ...plan, merged: mergedWith(plan, options) }));
  for (const { merged: result, ...plan } of merged) {
    if (result.kind !== 'up-to-date') write(plan.target, result.text);
    print(`${[outcome(result.kind, plan), ...notes(plan)].join(' ')}\n`);
  }
  if (options.client === undefined && options.out === undefined) print(otherClients(targets));
}

/** The content to write into one file. */
interface Plan {
  readonly target: Target;
  readonly servers: readonly McpServer[];
}

function linksOf(servers: readonly HttpServer[]): string {
  if (servers.length > 0) return installLinks(servers);
  throw new BadOptionError('--links', undefined, NEEDS_HTTP);
}

function startedServer({ folder }: Target, options: InitOptions): McpServer {
  const { name = projectName(), entry } = options;
  const place = { from: process.cwd(), configFolder: folder, platform: platform() };
  return { kind: 'stdio', name, ...launchCommand(place, entry) };
}

function mergedWith({ target, servers }: Plan, options: InitOptions): Merged {
  return mergeServers(textOf(target), target.client, {
    file: target.shown,
    servers,
    onConflict: options.force ? 'replace' : 'refuse',
  });
}

/**
 * Returns the text that is printed. If there is only one file, its name is not printed, so the
 * output can be piped.
 */
function snippets(plans: readonly Plan[]): string {
  const texts = plans.map(({ target, servers }) => ({
    target,
    text: onlyServers(target.client, servers),
  }));
  if (texts.length === 1) return texts.map(({ text }) => text).join('');
  return texts
    .map(({ target, text }) => `${target.shown} (${target.client.label}):\n${text}`)
    .join('\n');
}

/** Returns the name in package.json without its scope, or else the name of the folder. */
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

function textOf({ file, shown }: Target): string | undefined {
  try {
    // Opening a named pipe would block until another process writes to it.
    const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() ?? true;
    if (!isFile) throw new Error('the path is not a file');
    const bytes = readFileSync(file);
    if (!isUtf8(bytes)) throw new Error('the file is not encoded in UTF-8');
    return bytes.toString('utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new FileError(shown, 'read', error);
  }
}

function write({ file, shown, makeFolder }: Target, text: string): void {
  try {
    if (makeFolder) mkdirSync(dirname(file), { recursive: true });
    replaceFile(file, text);
  } catch (error) {
    throw new FileError(shown, 'written', error);
  }
}

function outcome(kind: Merged['kind'], { target: { shown }, servers }: Plan): string {
  const terminal = terminalOf(process.stdout);
  const names = servers.map(({ name }) => styled(terminal, 'cyan', name)).join(', ');
  const server = `${servers.length > 1 ? 'servers' : 'server'} ${names}`;
  switch (kind) {
    case 'created':
      return `Wrote ${shown} with the ${server}.`;
    case 'added':
      return `Added the ${server} to ${shown}.`;
    case 'replaced':
      return `Replaced the ${server} in ${shown}.`;
    case 'up-to-date':
      return `${shown} is up to date: it has the ${server}.`;
  }
}

function notes({ target: { client }, servers }: Plan): string[] {
  const [first] = servers;
  const variable = first?.kind === 'http' ? first.bearer : undefined;
  return variable === undefined ? [] : [client.bearerNote(variable)];
}

function otherClients(targets: readonly Target[]): string {
  const others = CLIENTS.filter((client) => targets.every((target) => target.client !== client));
  return others.length === 0
    ? ''
    : `To set up other clients: --client ${others.map(({ id }) => id).join(',')}\n`;
}

function print(text: string): void {
  process.stdout.write(text);
}
