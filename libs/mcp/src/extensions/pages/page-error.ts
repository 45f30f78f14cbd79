import { McpError } from '../../mcp.errors.js';

/**
 * A page of a tool does not exist or is not HTML, or its route declares another content type.
 * Thrown at startup.
 * @remarks Serve the page with a GET route that returns HTML and has `@McpResource({ uri:
 * 'ui://...' })`, or add it to `pages` of the module, and correct the problem that the message
 * names.
 */
export class PageError extends McpError {
  readonly code = 'MCP_BAD_PAGE';

  constructor(place: string, reason: string) {
    super(`${place}: ${reason}.`);
  }
}
