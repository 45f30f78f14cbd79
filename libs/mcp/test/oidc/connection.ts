import {
  Client as ModernClient,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { Client as SessionClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as SessionClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Era } from '../support/eras.js';
import type { LoginClient } from './login.js';

/** One connection of the official client of an era. */
export function connection(era: Era, endpoint: string, authProvider: LoginClient) {
  const info = { name: 'spec', version: '1.0.0' };
  if (era === '2025-11-25') {
    const client = new SessionClient(info);
    const transport = new SessionClientTransport(new URL(endpoint), { authProvider });
    return {
      client,
      connect: () => client.connect(transport),
      finish: (answer: URLSearchParams) => transport.finishAuth(answer.get('code') ?? ''),
    };
  }
  const client = new ModernClient(info, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  const transport = new StreamableHTTPClientTransport(new URL(endpoint), { authProvider });
  return {
    client,
    connect: () => client.connect(transport),
    finish: (answer: URLSearchParams) => transport.finishAuth(answer),
  };
}
