import { expect, it } from '@jest/globals';
import { startTasks } from './tasks-process.js';

it.each(['express', 'fastify'])(
  'shows the explorer to a browser, without a token, on %s',
  async (platform) => {
    const running = await startTasks({ TASKS_PLATFORM: platform });
    const { mcpServers } = JSON.parse(running.output.slice(running.output.indexOf('\n{\n')));
    const { origin } = new URL(mcpServers['task-api'].url);
    const page = await fetch(`${origin}/graphql`, { headers: { accept: 'text/html,*/*;q=0.8' } });
    expect([page.status, page.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    expect(await page.text()).toContain('data-socket="./graphql"');
    const script = await fetch(`${origin}/graphql/explorer.js`);
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    await running.stop();
  },
);
