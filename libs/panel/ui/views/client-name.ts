import { CLIENT_NAME } from '../api/mcp-message.js';

/** A client as tables show it; the panel by a name that people know. */
export function clientOf(client: string | undefined): string {
  return client?.startsWith(CLIENT_NAME) ? 'this panel' : (client ?? '');
}
