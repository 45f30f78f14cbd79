import { McpError } from '../../mcp.errors.js';

/**
 * A page of a tool does not exist, is no HTML, or is declared by a route of another type. Thrown at boot.
 * @remarks Give the page to a GET route that returns HTML, with `@McpResource({ uri: 'ui://...' })`, or to `pages` of
 * the module, and correct what the message names.
 */
export class PageError extends McpError {
  readonly code = 'MCP_BAD_PAGE';

  constructor(place: string, reason: string) {
    super(`${place}: ${reason}.`);
  }
}
