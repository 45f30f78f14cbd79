import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir, platform } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { BadOptionError, FileError } from '../cli.errors.js';
import { projectFolder } from '../entry/project-folder.js';
import { isObject } from '../json.js';
import { styled, terminalOf } from '../output/terminal.js';
import type { ClientId } from './client-ids.js';
import { CLIENTS, type McpServer } from './clients.js';
import { homeFiles } from './home-files.js';
import { installLinks } from './install-links.js';
import { launchCommand } from './launch-command.js';
import { type Merged, mergeServers, onlyServers } from './merge-servers.js';
import { replaceFile } from './replace-file.js';
import { type Target, targetsOf } from './targets.js';

export interface InitOptions {
  readonly client?: readonly ClientId[];
  readonly name?: string;
  readonly out?: string;
  readonly http?: string;
  /** The variable that holds the token; true: FLEDGE_MCP_TOKEN. */
  readonly bearer?: string | true;
  readonly entry?: string;
  readonly force?: true;
  readonly print?: true;
  readonly links?: true;
}

/** Writes the application into the configurations that MCP clients read, or prints what they need. */
export function init(options: InitOptions): void {
  checkOptions(options);
  if (options.links) return print(installLinks([httpServer(options) as HttpServer]));
  const targets = targetsOf(options.client, options.out, {
    folder: process.cwd(),
    home: homeFiles({ platform: platform(), home: homedir(), env: process.env }),
    exists: existsSync,
  });
  if (options.print) return print(snippets(targets, options));
  // All of them before one is written, so that a refusal leaves every file as it is.
  const merged = targets.map((target) => ({ target, merged: mergedWith(target, options) }));
  for (const { target, merged: result } of merged) {
    if (result.kind !== 'up-to-date') write(target, result.text);
    print(`${[outcome(result.kind, target, options), ...notes(target, options)].join(' ')}\n`);
  }
  if (options.client === undefined && options.out === undefined) print(otherClients(targets));
}

function checkOptions({ name, http, bearer, links }: InitOptions): void {
  if (name?.trim() === '') throw new BadOptionError('--name', name, 'a name that is not blank');
  if (http !== undefined) return;
  const needs = 'used with --http, the URL of the server';
  if (links) throw new BadOptionError('--links', undefined, needs);
  if (bearer !== undefined) throw new BadOptionError('--bearer', undefined, needs);
}

type HttpServer = Extract<McpServer, { kind: 'http' }>;

function httpServer({ name = projectName(), http, bearer }: InitOptions): HttpServer | undefined {
  if (http === undefined) return undefined;
  const variable = bearer === true ? 'FLEDGE_MCP_TOKEN' : bearer;
  return { kind: 'http', name, url: http, ...(variable && { bearer: variable }) };
}

function serverFor({ folder }: Target, options: InitOptions): McpServer {
  const { name = projectName(), entry } = options;
  const command = () => launchCommand(process.cwd(), folder, entry);
  return httpServer(options) ?? { kind: 'stdio', name, ...command() };
}

function mergedWith(target: Target, options: InitOptions): Merged {
  return mergeServers(textOf(target), target.client, {
    file: target.shown,
    servers: [serverFor(target, options)],
    onConflict: options.force ? 'replace' : 'refuse',
  });
}

/** What a file needs. One file alone is printed without its name, so that it can be piped. */
function snippets(targets: readonly Target[], options: InitOptions): string {
  const texts = targets.map((target) => ({
    target,
    text: onlyServers(target.client, [serverFor(target, options)]),
  }));
  if (texts.length === 1) return texts.map(({ text }) => text).join('');
  return texts
    .map(({ target, text }) => `${target.shown} (${target.client.label}):\n${text}`)
    .join('\n');
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

function textOf({ file, shown }: Target): string | undefined {
  try {
    return readFileSync(file, 'utf8');
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

function outcome(kind: Merged['kind'], { shown }: Target, { name = projectName() }: InitOptions) {
  const server = styled(terminalOf(process.stdout), 'cyan', name);
  switch (kind) {
    case 'created':
      return `Wrote ${shown} with the server ${server}.`;
    case 'added':
      return `Added the server ${server} to ${shown}.`;
    case 'replaced':
      return `Replaced the server ${server} in ${shown}.`;
    case 'up-to-date':
      return `${shown} is up to date: it has the server ${server}.`;
  }
}

function notes({ client }: Target, options: InitOptions): string[] {
  const variable = httpServer(options)?.bearer;
  return variable === undefined ? [] : [client.bearerNote(variable)];
}

function otherClients(targets: readonly Target[]): string {
  const others = CLIENTS.filter((client) => targets.every((target) => target.client !== client));
  return others.length === 0
    ? ''
    : `Other clients: --client ${others.map(({ id }) => id).join(',')}\n`;
}

function print(text: string): void {
  process.stdout.write(text);
}
