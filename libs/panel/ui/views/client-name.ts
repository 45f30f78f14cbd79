import { CLIENT_NAME } from '../api/mcp-message.js';

/** Returns the name of a client for tables. The panel itself gets a readable name. */
export function clientOf(client: string | undefined): string {
  return client?.startsWith(CLIENT_NAME) ? 'this panel' : (client ?? '');
}
