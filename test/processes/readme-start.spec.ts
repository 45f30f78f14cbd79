// `npm start` and the commands around it, as the READMEs have them.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectClient } from '../support/connect-client.js';
import { start } from '../support/processes.js';
import { blocksOf, commandsOf, root } from '../support/snippets.js';

const run = promisify(execFile);

describe('npm start, as the README has it', () => {
  const data = mkdtempSync(join(tmpdir(), 'fledge-readme-'));
  const running = { url: '', stop: () => Promise.resolve() };

  beforeAll(async () => {
    const server = start('npm', ['start'], { PORT: '0', TASKS_DATA: data });
    running.stop = server.stop;
    const [, url] = await server.until(/REST\s+(http:\/\/localhost:\d+)/, 290_000);
    running.url = url as string;
  });
  afterAll(async () => {
    await running.stop();
    rmSync(data, { recursive: true, force: true });
  });

  it('answers the curl lines: a list, and the other company over GraphQL', async () => {
    const lines = commandsOf('README.md').filter((command) => command.startsWith('curl'));
    const answers = [];
    for (const line of lines) {
      const command = line
        .replace('http://localhost:3000', running.url)
        .replace('curl', 'curl -sS');
      answers.push(JSON.parse((await run('sh', ['-c', command])).stdout));
    }
    expect(answers).toEqual([
      {
        data: [
          expect.objectContaining({ status: 'open', createdBy: 'ada' }),
          expect.objectContaining({ status: 'open', createdBy: 'ada' }),
        ],
        meta: expect.objectContaining({ page: 1, limit: 2, hasNext: true }),
      },
      {
        data: {
          tasks: {
            data: [
              { title: expect.stringContaining('spectrometer') },
              { title: expect.stringContaining('patent') },
            ],
          },
        },
      },
    ]);
  });

  it('answers the fledge commands, and those that start the application do too', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fledge-readme-'));
    writeFileSync(join(folder, 'package.json'), '{ "name": "task-api" }');
    symlinkSync(join(root, 'apps/tasks/dist'), join(folder, 'dist'));
    const fledge = `"${process.execPath}" "${join(root, 'libs/cli/dist/main.js')}"`;
    const lines = commandsOf('libs/cli/README.md').filter((line) =>
      line.includes('npx @fledge/cli'),
    );
    expect(lines.length).toBeGreaterThanOrEqual(5);
    for (const line of lines) {
      const command = line
        .replace('npx @fledge/cli', fledge)
        .replace('http://localhost:3000', running.url)
        // The start of the application may take minutes on a busy machine.
        .replace(/mcp (?:list|call)/, '$& --timeout 240');
      const { stdout } = await run('sh', ['-c', command], {
        cwd: folder,
        env: { ...process.env, TASKS_DATA: 'memory://', FLEDGE_MCP_TOKEN: 'demo-token-ada' },
      });
      expect([line, stdout]).toEqual([line, expect.stringMatching(/task-api|tasks_get|id\\?":/)]);
    }
    rmSync(folder, { recursive: true });
  });

  it('serves the client configuration', async () => {
    const [config] = blocksOf('README.md', 'json').map(
      (block) =>
        JSON.parse(block) as {
          mcpServers: { 'task-api': { url: string; headers: Record<string, string> } };
        },
    );
    const { url, headers } = config?.mcpServers['task-api'] ?? { url: '', headers: {} };
    const client = await connectClient(url.replace('http://localhost:3000', running.url), headers);
    const result = await client.callTool({ name: 'tasks_list', arguments: { limit: 1 } });
    expect(result.isError).toBe(false);
    await client.close();
  });
});
