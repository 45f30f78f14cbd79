import { isDeepStrictEqual } from 'node:util';
import { BadJsonError, ServerTakenError } from '../cli.errors.js';
import { isObject, kindOf, printJson, readJsonObject } from '../json.js';

/** An entry of `mcpServers`, as MCP clients read it. */
export type ServerEntry =
  | { readonly command: string; readonly args: readonly string[] }
  | { readonly type: 'http'; readonly url: string };

export interface ConfigChange {
  /** The file name in messages. */
  readonly file: string;
  readonly name: string;
  readonly entry: ServerEntry;
  /** What to do if an entry with this name differs. */
  readonly onConflict: 'refuse' | 'replace';
  /** How to go on if the file cannot be changed, for the message. */
  readonly cure?: string;
}

export type Merged =
  | { readonly kind: 'created' | 'added' | 'replaced'; readonly text: string }
  | { readonly kind: 'up-to-date' };

/**
 * Adds a server to a configuration and keeps its other keys.
 * @param text the configuration; undefined if there is none yet
 * @throws BadJsonError, ServerTakenError
 */
export function mergeServer(text: string | undefined, change: ConfigChange): Merged {
  const { file, name, entry } = change;
  if (text === undefined) {
    return { kind: 'created', text: printJson({ mcpServers: { [name]: entry } }) };
  }
  const cure =
    change.cure ?? 'The file was not changed. Correct it, or write another file: --out FILE.';
  const config = readJsonObject(file, text, cure);
  const servers = config['mcpServers'] === undefined ? {} : config['mcpServers'];
  if (!isObject(servers)) {
    const fault = `must have an object in "mcpServers", but it is ${kindOf(servers)}`;
    throw new BadJsonError(file, fault, cure);
  }
  const present = Object.hasOwn(servers, name) ? servers[name] : undefined;
  if (isDeepStrictEqual(present, entry)) return { kind: 'up-to-date' };
  if (present !== undefined && change.onConflict === 'refuse') {
    throw new ServerTakenError(file, name, JSON.stringify(present), change.cure);
  }
  const merged = { ...config, mcpServers: { ...servers, [name]: entry } };
  return {
    kind: present === undefined ? 'added' : 'replaced',
    text: printJson(merged, text),
  };
}
