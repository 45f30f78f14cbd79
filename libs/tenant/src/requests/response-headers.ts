/**
 * A response of Express, Fastify or Node. A reply of Fastify has `header` instead of `setHeader`.
 * An operation over a socket has none of these methods.
 */
export interface HeadedResponse {
  getHeader?(name: string): string | number | string[] | undefined;
  setHeader?(name: string, value: string): unknown;
  header?(name: string, value: string): unknown;
}

/**
 * Sets a header. The platform's adapter cannot set headers on Node's own response, which sockets and
 * GraphQL mounts pass.
 */
export function setHeader(response: HeadedResponse, name: string, value: string): void {
  if ('setHeader' in response) response.setHeader?.(name, value);
  else response.header?.(name, value);
}
