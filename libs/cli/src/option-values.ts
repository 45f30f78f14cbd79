import { BadOptionError } from './cli.errors.js';

/** Checks that an MCP client can call a URL. Returns it unchanged. */
export function httpUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.hash !== '') {
    const expected = 'a URL such as http://localhost:3000/_mcp/messages';
    throw new BadOptionError('--http', value, expected);
  }
  if (url.username !== '' || url.password !== '') {
    throw new BadOptionError(
      '--http',
      `${url.protocol}//...@${url.host}`,
      'a URL without a password',
    );
  }
  return value;
}

/** A server of `mcp init`: `--http URL`, or `--http NAME=URL`. */
export interface NamedUrl {
  readonly name?: string;
  readonly url: string;
}

/** Adds a value of `--http` to those before it. */
export function namedUrls(value: string, before: readonly NamedUrl[] = []): NamedUrl[] {
  const [, name, url = value] = /^([^=:/?#]+)=(https?:.*)$/.exec(value) ?? [];
  return [...before, { url: httpUrl(url), ...(name !== undefined && { name }) }];
}

/** Default of `--timeout`, in seconds. */
export const DEFAULT_TIMEOUT = 60;

/** Parses a number of seconds. */
export function seconds(value: string): number {
  const number = Number(value);
  // Timers hold up to 2^31 milliseconds.
  if (/^\d+(\.\d+)?$/.test(value) && number > 0 && number <= 86_400) return number;
  throw new BadOptionError('--timeout', value, 'a number of seconds, at most 86400');
}

/** Checks the name of a variable, to refuse a token that is passed in its place. The message does not repeat it. */
export function variableName(value: string): string {
  if (/^[A-Z_][A-Z0-9_]*$/.test(value)) return value;
  const expected = 'the name of a variable in capital letters, such as FLEDGE_MCP_TOKEN';
  throw new BadOptionError('--bearer', undefined, expected);
}
