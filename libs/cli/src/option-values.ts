import { BadOptionError } from './cli.errors.js';

/** Returns the URL unchanged. Throws if an MCP client cannot call the URL. */
export function httpUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.hash !== '') {
    const expected = 'a URL such as http://localhost:3000/_mcp/messages';
    throw new BadOptionError('--http', withoutSecrets(value), expected);
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

/** Hides the parts of a URL that may contain a credential, because CI keeps logs. */
function withoutSecrets(url: string): string {
  return url.replace(/[?#].*$/s, '?...').replace(/^([^:]*:\/*)?.*@/s, '$1...@');
}

/**
 * Checks that a token can be sent in a header. The message does not contain the token, because CI
 * keeps logs. An error of `fetch` would contain the token.
 */
export function bearerToken(value: string): string | undefined {
  // If the variable is an empty string, there is no token.
  if (value === '') return undefined;
  if (/^[\x21-\x7e]+$/.test(value)) return value;
  const expected = 'a bearer token: visible ASCII characters without spaces or line breaks';
  throw new BadOptionError('--token, or FLEDGE_MCP_TOKEN,', undefined, expected);
}

/** Adds one value of `--header` to the earlier values. The message does not contain the value. */
export function headers(
  value: string,
  before: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const [, name, text] = /^([\w!#$%&'*+.^`|~-]+):([\t\x20-\x7e]*)$/.exec(value) ?? [];
  if (name !== undefined && text !== undefined) {
    return { ...before, [name.toLowerCase()]: text.trim() };
  }
  throw new BadOptionError('--header', undefined, "a header such as 'x-tenant-id: acme'");
}

/** Matches URL parameters that hold a credential. */
const CREDENTIAL =
  /token|secret|passw|credential|signature|api[-_]?key|^(key|sig|auth|authorization|jwt|pat|pw)$/i;

/**
 * Checks that the query string of a URL has no credential, because the URL is written to a file.
 */
function urlForFile(value: string): string {
  const url = httpUrl(value);
  const { searchParams, origin, pathname } = new URL(url);
  const [name] = [...searchParams].find(([key, text]) => text !== '' && CREDENTIAL.test(key)) ?? [];
  if (name === undefined) return url;
  throw new BadOptionError(
    '--http',
    `${origin}${pathname}?${name}=...`,
    'a URL without a credential, because the files are shared. Put the credential in an environment variable: --bearer VARIABLE',
  );
}

/** A server of `mcp init`: `--http URL`, or `--http NAME=URL`. */
export interface NamedUrl {
  readonly name?: string;
  readonly url: string;
}

/** Adds one value of `--http` to the earlier values. */
export function namedUrls(value: string, before: readonly NamedUrl[] = []): NamedUrl[] {
  const [, name, url = value] = /^([^=:/?#]+)=(https?:.*)$/.exec(value) ?? [];
  return [...before, { url: urlForFile(url), ...(name !== undefined && { name }) }];
}

/** Default of `--timeout`, in seconds. */
export const DEFAULT_TIMEOUT = 60;

/** Parses a number of seconds. */
export function seconds(value: string): number {
  const number = Number(value);
  // Node.js timers support at most 2^31 milliseconds.
  if (/^\d+(\.\d+)?$/.test(value) && number > 0 && number <= 86_400) return number;
  throw new BadOptionError('--timeout', value, 'a number of seconds above 0 and at most 86400');
}

/**
 * Checks the name of a variable. Rejects a token that was passed instead of a name. The message
 * does not contain the value.
 */
export function variableName(value: string): string {
  if (/^[A-Z_][A-Z0-9_]*$/.test(value)) return value;
  const expected =
    'the name of an environment variable in capital letters, such as FLEDGE_MCP_TOKEN';
  throw new BadOptionError('--bearer', undefined, expected);
}
