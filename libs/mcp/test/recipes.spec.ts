// The recipes of docs/telemetry.md, run as they stand there.
import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from '@jest/globals';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';
import { AppModule as HealthModule } from './recipes/health.js';
import { AppModule as PrometheusModule } from './recipes/prometheus.js';
import { connect } from './support/clients.js';

afterEach(closeAll);

it('docs/telemetry.md shows the recipes of this folder, each as it stands', () => {
  const folder = new URL('recipes/', import.meta.url);
  const page = readFileSync(new URL('../docs/telemetry.md', import.meta.url), 'utf8');
  for (const file of readdirSync(folder)) {
    expect(page).toContain(`\`\`\`ts\n${readFileSync(new URL(file, folder), 'utf8')}\`\`\``);
  }
});

describe.each(platforms)('a recipe on $name', (platform) => {
  it('is a health indicator, degraded while every session is taken', async () => {
    const { url } = await serve(HealthModule, platform);
    const health = async () => {
      const answer = await fetch(`${url}/health`);
      const { status, details } = (await answer.json()) as Record<string, Record<string, unknown>>;
      return [answer.status, status, details!['mcp']];
    };
    expect(await health()).toEqual([200, 'ok', { status: 'up', sessions: 0 }]);
    const clients = [];
    for (let i = 0; i < 10; i++) clients.push(await connect(`${url}/_mcp/messages`));
    expect(await health()).toEqual([200, 'degraded', { status: 'degraded', sessions: 10 }]);
    for (const client of clients) await client.leave();
    expect(await health()).toEqual([200, 'ok', { status: 'up', sessions: 0 }]);
  });

  it('serves the counts to Prometheus', async () => {
    const { url } = await serve(PrometheusModule, platform);
    const client = await connect(`${url}/_mcp/messages`);
    const answer = await fetch(`${url}/metrics`);
    expect(answer.headers.get('content-type')).toContain('text/plain');
    expect((await answer.text()).split('\n')).toEqual(
      expect.arrayContaining([
        '# TYPE fledge gauge',
        'fledge{part="McpAdapter",metric="sessions"} 1',
        'fledge{part="McpAdapter",metric="calls"} 0',
      ]),
    );
    await client.leave();
  });
});
