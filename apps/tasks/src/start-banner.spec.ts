import { describe, expect, it } from '@jest/globals';
import { startBanner } from './start-banner.js';

describe('startBanner', () => {
  const banner = startBanner('http://localhost:4000', 'demo-token-ada');

  it('prints the URL of the panel first, then REST, GraphQL and MCP', () => {
    expect(banner.trim()).toMatch(/^Panel {4}http:\/\/localhost:4000\/_fledge\/\n/);
    expect(banner).toContain('REST     http://localhost:4000/tasks\n');
    expect(banner).toContain('GraphQL  http://localhost:4000/graphql\n');
    expect(banner).toContain('MCP      http://localhost:4000/_mcp/messages\n');
  });

  it('prints a curl command to paste', () => {
    expect(banner).toContain(
      "curl -H 'Authorization: Bearer demo-token-ada' http://localhost:4000/tasks\n",
    );
  });

  it('prints the commands that write a client configuration and open the Inspector', () => {
    const url = 'http://localhost:4000/_mcp/messages';
    expect(banner).toContain(
      `  npx @fledge/cli mcp init --name task-api --http ${url} --bearer\n  export FLEDGE_MCP_TOKEN=demo-token-ada\n`,
    );
    expect(banner).toContain(`  npx @fledge/cli mcp inspect --http ${url}\n`);
  });

  it('prints a client configuration to paste', () => {
    expect(JSON.parse(banner.slice(banner.indexOf('{')))).toEqual({
      mcpServers: {
        'task-api': {
          type: 'http',
          url: 'http://localhost:4000/_mcp/messages',
          headers: { Authorization: 'Bearer demo-token-ada' },
        },
      },
    });
  });
});
