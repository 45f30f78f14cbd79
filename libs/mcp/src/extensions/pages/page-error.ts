import { McpError } from '../../mcp.errors.js';

/**
 * The page of a tool does not exist, the page is not HTML, or the route of the page declares
 * another content type. Thrown at startup.
 * @remarks Serve the page with a GET route that returns HTML and has `@McpResource({ uri:
 * 'ui://...' })`, or add the page to the option `pages` of the module. Correct the problem that the
 * message names.
 */
export class PageError extends McpError {
  readonly code = 'MCP_BAD_PAGE';

  constructor(place: string, reason: string) {
    super(`${place}: ${reason}.`);
  }
}
