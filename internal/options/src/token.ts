/** Returns true if a value is a token (RFC 9110 §5.6.2), such as the name of a header or a cookie. */
export function isToken(value: string): boolean;
export function isToken(value: unknown): value is string;
export function isToken(value: unknown): boolean {
  return typeof value === 'string' && /^[!#$%&'*+.^_`|~\w-]+$/.test(value);
}
