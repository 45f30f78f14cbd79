import { describe, expect, it } from '@jest/globals';
import { clientOf } from './clients.js';
import { installLinks } from './install-links.js';
import { onlyServers } from './merge-servers.js';

const server = (name: string) =>
  ({ kind: 'http', name, url: 'http://localhost:3000/_mcp/messages' }) as const;

describe('the name of a server', () => {
  it.each([
    ['my shop.v2', 'my-shop-v2'],
    ['Größe', 'Gr-e'],
    ['shop_1-a', 'shop_1-a'],
    ['店', 'app'],
  ])('%j is %j for Claude Code and Codex, which reject other characters', (name, key) => {
    expect(onlyServers(clientOf('claude-code'), [server(name)])).toContain(`"${key}": {`);
    expect(onlyServers(clientOf('codex'), [server(name)])).toContain(`[mcp_servers.${key}]`);
    const links = installLinks([server(name)]);
    expect(links).toMatch(new RegExp(`^claude mcp add --transport http '?${key}'? `, 'm'));
    expect(links).toMatch(new RegExp(`^codex mcp add '?${key}'? `, 'm'));
  });

  it('is kept for clients that accept it', () => {
    expect(onlyServers(clientOf('cursor'), [server('my shop')])).toContain('"my shop": {');
  });
});
