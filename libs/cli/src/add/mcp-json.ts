import { isDeepStrictEqual } from 'node:util';
import { BadJsonError, ServerTakenError } from '../cli.errors.js';
import { isObject, kindOf, printJson, readJsonObject } from '../json.js';

export interface AddedServer {
  readonly name: string;
  readonly entry: object;
}

const FILE = '.mcp.json';
const CURE = 'Correct the file, or omit --mcp-json.';

/**
 * Adds a server to the text of `.mcp.json`. Keeps the other keys. `.mcp.json` has no comments, so a
 * plain JSON parser is sufficient. Every package ships a copy of this code.
 * @param text the current content. Undefined if there is no file yet
 * @returns the new content. Undefined if the file already has the server
 * @throws BadJsonError, ServerTakenError
 */
export function withServer(
  text: string | undefined,
  { name, entry }: AddedServer,
): string | undefined {
  if (text === undefined) return printJson({ mcpServers: { [name]: entry } });
  const config = readJsonObject(FILE, text, CURE);
  const servers = config['mcpServers'] === undefined ? {} : config['mcpServers'];
  if (!isObject(servers)) {
    const fault = `must have an object in "mcpServers", not ${kindOf(servers)}`;
    throw new BadJsonError(FILE, fault, CURE);
  }
  const present = Object.hasOwn(servers, name) ? servers[name] : undefined;
  if (isDeepStrictEqual(present, entry)) return undefined;
  if (present !== undefined) throw new ServerTakenError(FILE, name, present, CURE);
  return printJson({ ...config, mcpServers: { ...servers, [name]: entry } }, text);
}
