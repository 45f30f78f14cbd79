import { isDeepStrictEqual } from 'node:util';
import { BadConfigError, BadOptionError, ServerTakenError } from '../cli.errors.js';
import { isObject, kindOf } from '../json.js';
import type { McpClient, McpServer } from './clients.js';
import type { ConfigText } from './config-text.js';

export interface ConfigChange {
  /** The file name for messages. */
  readonly file: string;
  readonly servers: readonly McpServer[];
  /** The reaction if the file has a different server with this name. */
  readonly onConflict: 'refuse' | 'replace';
}

export type Merged =
  | { readonly kind: 'created' | 'added' | 'replaced'; readonly text: string }
  | { readonly kind: 'up-to-date' };

/**
 * Adds servers to the configuration of a client, and keeps the rest of the text.
 * @param text the current content. Undefined if there is no file yet
 * @throws BadOptionError, BadJsonError, BadConfigError, ServerTakenError
 */
export function mergeServers(
  text: string | undefined,
  client: McpClient,
  { file, servers, onConflict }: ConfigChange,
): Merged {
  let config = client.open(file, text ?? client.blank);
  let edited: string | undefined;
  let replaces = false;
  const set = (path: readonly string[], value: object) => {
    edited = config.set(path, value);
    config = client.open(file, edited);
  };
  for (const [key, server] of serversByKey(client, servers)) {
    const path = [client.section, key];
    const entry = client.entryOf(server);
    const present = serverAt(config, path, file);
    if (present === undefined || !isSetUp(present.value, entry, client.ofUser)) {
      if (present !== undefined && onConflict === 'refuse') {
        throw new ServerTakenError(`${file}, line ${present.line},`, server.name, present.value);
      }
      replaces ||= present !== undefined;
      set(path, entry);
    }
    const input = client.inputOf?.(server);
    if (input !== undefined) addInput(config, input, set, file);
  }
  if (edited === undefined) return { kind: 'up-to-date' };
  if (text === undefined) return { kind: 'created', text: edited };
  return { kind: replaces ? 'replaced' : 'added', text: edited };
}

/** @throws BadOptionError if the client stores two servers under the same key */
function serversByKey(
  { keyOf = (name) => name, label }: McpClient,
  servers: readonly McpServer[],
): ReadonlyMap<string, McpServer> {
  const byKey = new Map<string, McpServer>();
  for (const server of servers) {
    const key = keyOf(server.name);
    const other = byKey.get(key);
    if (other !== undefined) {
      const expected = `NAME=URL with a name other than "${other.name}", because ${label} stores both as "${key}"`;
      throw new BadOptionError('--http', server.name, expected);
    }
    byKey.set(key, server);
  }
  return byKey;
}

/** Returns the content of a new file with these servers. */
export function onlyServers(client: McpClient, servers: readonly McpServer[]): string {
  const change = { file: client.label, servers, onConflict: 'refuse' } as const;
  const merged = mergeServers(undefined, client, change);
  return merged.kind === 'up-to-date' ? '' : merged.text;
}

function serverAt(config: ConfigText, path: readonly string[], file: string) {
  const section = path.slice(0, 1);
  const servers = config.find(section);
  if (servers !== undefined && !isObject(servers.value)) {
    throw new BadConfigError(
      `${file}, line ${servers.line},`,
      `must have an object in "${section.join('.')}", not ${kindOf(servers.value)}`,
    );
  }
  return config.find(path);
}

/**
 * Returns true if an entry has all values of Fledge. The user may have added other keys to the
 * entry.
 */
function isSetUp(
  present: unknown,
  entry: Readonly<Record<string, unknown>>,
  ofUser: readonly string[] = [],
): boolean {
  return (
    isObject(present) &&
    Object.entries(entry).every(
      ([key, value]) =>
        (ofUser.includes(key) && key in present) || isDeepStrictEqual(present[key], value),
    )
  );
}

/** Declares an input. With this input, VS Code asks the user for a token. */
function addInput(
  config: ConfigText,
  input: { readonly id: string },
  set: (path: readonly string[], value: object) => void,
  file: string,
): void {
  const found = config.find(['inputs']);
  if (found === undefined) return set(['inputs'], [input]);
  if (!Array.isArray(found.value)) {
    const fault = `must have an array in "inputs", not ${kindOf(found.value)}`;
    throw new BadConfigError(`${file}, line ${found.line},`, fault);
  }
  const inputs: readonly unknown[] = found.value;
  if (inputs.some((each) => isObject(each) && each['id'] === input.id)) return;
  set(['inputs', String(inputs.length)], input);
}
