import { CONNECTIONS } from './load.js';
import { INITIALIZE, SESSION_HEADERS } from './mcp-messages.js';

/** Opens sessions of revision 2025-11-25, a few at a time, and returns their ids. */
export async function openSessions(url: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  const open = async () => {
    for (let left = count / CONNECTIONS; left > 0; left--) ids.push(await openSession(url));
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, open));
  return ids;
}

/** Opens a session of revision 2025-11-25, and returns its id. */
export async function openSession(url: string): Promise<string> {
  const answer = await post(url, SESSION_HEADERS, INITIALIZE);
  const id = answer.headers.get('mcp-session-id');
  if (id === null) throw new Error(`No session at ${url}: ${answer.status} ${await answer.text()}`);
  await answer.text();
  const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
  const accepted = await post(url, { ...SESSION_HEADERS, 'mcp-session-id': id }, initialized);
  await accepted.text();
  return id;
}

function post(url: string, headers: Record<string, string>, message: object): Promise<Response> {
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(message) });
}
