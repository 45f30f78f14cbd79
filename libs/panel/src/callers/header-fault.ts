/**
 * Headers that a page cannot set. The browser sets or removes these headers (Fetch Standard,
 * forbidden request-header).
 */
const SET_BY_BROWSERS =
  /^(accept-charset|accept-encoding|access-control-request-.*|connection|content-length|cookie2?|date|dnt|expect|host|keep-alive|origin|proxy-.*|referer|sec-.*|set-cookie|te|trailer|transfer-encoding|upgrade|via)$/i;

/**
 * Returns the reason why the page of the panel cannot send a header, or undefined if the page can
 * send the header. The reason does not contain the value, because the value may be secret.
 */
export function headerFault(name: string, value: unknown): string | undefined {
  const shown = JSON.stringify(name.slice(0, 100));
  if (!isToken(name)) return `${shown} is not a valid header name`;
  if (SET_BY_BROWSERS.test(name)) return `browsers do not let a page set the header ${shown}`;
  if (typeof value === 'string' && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)) return undefined;
  return `the value of ${shown} is not a valid header value`;
}

/**
 * Returns true if a value is a token (RFC 9110 §5.6.2), such as the name of a method or a header.
 */
export function isToken(value: unknown): value is string {
  return typeof value === 'string' && /^[!#$%&'*+.^_`|~\w-]{1,200}$/.test(value);
}
