// The SDK alone on node:http, with a tool that does next to nothing.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { report } from './report.js';
import { sdkSessions } from './sdk-sessions.js';

const answer = sdkSessions((args) => ({
  content: [{ type: 'text', text: JSON.stringify({ id: 1, status: 'open', ...(args as object) }) }],
  isError: false,
}));
const server = createServer(answer).listen(0, '127.0.0.1', () => {
  report((server.address() as AddressInfo).port);
});
