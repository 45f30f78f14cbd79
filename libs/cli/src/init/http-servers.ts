import { BadOptionError } from '../cli.errors.js';
import type { NamedUrl } from '../option-values.js';
import type { HttpServer } from './clients.js';

export interface ServerOptions {
  /** The name of a server without a name in `http`. Only one server can have no name. */
  readonly name?: string;
  readonly http?: readonly NamedUrl[];
  /** The environment variable that contains the token. `true` means FLEDGE_MCP_TOKEN. */
  readonly bearer?: string | true;
}

export const NEEDS_HTTP = 'used together with --http URL';

/**
 * Returns the servers of `--http`, one for each URL.
 * @param projectName the name of a server that has no name
 * @throws BadOptionError if two servers have the same name
 */
export function httpServers(
  { name, http = [], bearer }: ServerOptions,
  projectName: string,
): HttpServer[] {
  for (const each of [name, ...http.map((server) => server.name)]) refuseName(each);
  if (bearer !== undefined && http.length === 0) {
    throw new BadOptionError('--bearer', undefined, NEEDS_HTTP);
  }
  const variable = bearer === true ? 'FLEDGE_MCP_TOKEN' : bearer;
  const servers = http.map((each): HttpServer => ({
    kind: 'http',
    name: each.name ?? name ?? projectName,
    url: each.url,
    ...(variable !== undefined && { bearer: variable }),
  }));
  const names = servers.map((server) => server.name);
  const double = servers.find((server, i) => names.indexOf(server.name) < i);
  if (double === undefined) return servers;
  throw new BadOptionError('--http', double.url, 'NAME=URL, with a different name for each server');
}

function refuseName(name: string | undefined): void {
  if (name === undefined) return;
  if (name.trim() === '') throw new BadOptionError('--name', name, 'a name that is not blank');
  if (!/^[^\p{Cc}\u2028\u2029]+$/u.test(name)) {
    throw new BadOptionError('--name', name, 'a name without line breaks or control characters');
  }
}
