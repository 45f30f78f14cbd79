// A busy application with the page open: neither the server nor the page keeps what it no longer shows.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Browser, CDPSession } from 'playwright-core';
import { until } from '../support/until.js';
import { callTool } from '../browsers/support/agent.js';
import { launch, open } from '../browsers/support/browser.js';

const SERVER = fileURLToPath(new URL('./many-calls/server.mjs', import.meta.url));
const WARM_UP = 2_000;
const CALLS = 10_000;
const AGENTS = 5;
/** A call that was kept would cost more. */
const BYTES_A_CALL = 100;

// Browser, server and agents share the machine with other specs.
jest.setTimeout(400_000);

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

async function answerOf<T>(child: ChildProcess, question?: string): Promise<T> {
  const answer = once(child, 'message') as Promise<[T]>;
  if (question !== undefined) child.send(question);
  return (await answer)[0];
}

/** Calls the tool again and again, by several agents at one time. */
async function makeCalls(url: string, count: number): Promise<void> {
  let left = count;
  const agent = async () => {
    while (left-- > 0) await callTool(url, 'find', { id: `thing ${left}` });
  };
  await Promise.all(Array.from({ length: AGENTS }, agent));
}

/** Bytes of the page's script and number of nodes in its document, after a collection. */
async function pageUsage(devtools: CDPSession): Promise<{ heap: number; nodes: number }> {
  await devtools.send('HeapProfiler.collectGarbage');
  const { metrics } = await devtools.send('Performance.getMetrics');
  const of = (wanted: string) => metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
  return { heap: of('JSHeapUsedSize'), nodes: of('Nodes') };
}

describe.each(['express', 'fastify'])('the page during 10,000 calls, on %s', (platform) => {
  let child: ChildProcess;
  afterEach(() => void child.kill());

  it('stays usable and small, and so does the server', async () => {
    child = fork(SERVER, [platform], { execArgv: ['--expose-gc', '--no-warnings'] });
    const url = await answerOf<string>(child);
    const { page, context, faults } = await open(browser, url);
    const devtools = await context.newCDPSession(page);
    await devtools.send('Performance.enable');
    await page.getByRole('link', { name: /^Calls/ }).click();
    const make = async (count: number, newest: number) => {
      await makeCalls(url, count);
      await page.locator(`[data-call="${newest}"]`).waitFor();
      expect(await page.locator('[data-call]').count()).toBe(200);
      return answerOf<number>(child, 'collect');
    };

    await make(WARM_UP, WARM_UP);
    const serverBefore = await make(CALLS / 2, WARM_UP + CALLS / 2);
    const pageBefore = await pageUsage(devtools);
    const serverAfter = await make(CALLS / 2, WARM_UP + CALLS);
    expect(serverAfter - serverBefore).toBeLessThan((CALLS / 2) * BYTES_A_CALL);
    // The browser collects what it removed from the document when it has time.
    await until(async () => {
      const { heap, nodes } = await pageUsage(devtools);
      return (
        heap - pageBefore.heap < (CALLS / 2) * BYTES_A_CALL && nodes < pageBefore.nodes + CALLS / 2
      );
    });

    await page.getByLabel('Filter calls').fill('tool:find');
    await page.locator(`[data-call="${WARM_UP + CALLS}"]`).click();
    await page.getByRole('complementary', { name: 'Call' }).getByText('agent-runner').waitFor();
    await make(1, WARM_UP + CALLS + 1);
    await context.close();
    expect(faults).toEqual([]);
  });
});
