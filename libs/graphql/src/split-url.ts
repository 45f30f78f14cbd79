/**
 * Splits the URL of a request into path and query component at the first question mark. The query
 * component may contain more question marks (RFC 3986 §3.4).
 */
export function splitUrl(url: string): readonly [path: string, search: string | undefined] {
  const mark = url.indexOf('?');
  return mark === -1 ? [url, undefined] : [url.slice(0, mark), url.slice(mark + 1)];
}
