import { BadOptionError } from './cli.errors.js';

/** Checks a URL that an MCP client can call; it stays as it was written. */
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

/** A number of seconds. */
export function seconds(value: string): number {
  const number = Number(value);
  // 2^31 milliseconds is all that a timer holds.
  if (/^\d+(\.\d+)?$/.test(value) && number > 0 && number <= 86_400) return number;
  throw new BadOptionError('--timeout', value, 'a number of seconds, at most 86400');
}
