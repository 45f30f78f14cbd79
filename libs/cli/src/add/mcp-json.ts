import { isDeepStrictEqual } from 'node:util';
import { BadJsonError, ServerTakenError } from '../cli.errors.js';
import { isObject, kindOf, printJson, readJsonObject } from '../json.js';

export interface AddedServer {
  readonly name: string;
  readonly entry: object;
}

const FILE = '.mcp.json';
const CURE = 'Correct it, or leave out --mcp-json.';

/**
 * Adds a server to the text of `.mcp.json` and keeps its other keys. Written without a parser that keeps comments,
 * because packages carry this code into applications, and the file has none.
 * @param text the configuration; undefined if there is none yet
 * @returns undefined if the file has the server
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
    const fault = `must have an object in "mcpServers", but it is ${kindOf(servers)}`;
    throw new BadJsonError(FILE, fault, CURE);
  }
  const present = Object.hasOwn(servers, name) ? servers[name] : undefined;
  if (isDeepStrictEqual(present, entry)) return undefined;
  if (present !== undefined) throw new ServerTakenError(FILE, name, present, CURE);
  return printJson({ ...config, mcpServers: { ...servers, [name]: entry } }, text);
}
