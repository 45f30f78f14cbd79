// The trace of a call as a waterfall, in a real browser, where an OpenTelemetry SDK runs.
import { PanelSpanProcessor } from '@fledge/panel/telemetry';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { context, propagation, trace } from '@opentelemetry/api';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import type { Browser } from 'playwright-core';
import { closeAll, platforms } from '../support/platforms.js';
import { callTool } from './support/agent.js';
import { launch, open } from './support/browser.js';
import { servePanel } from './support/served-panel.js';

const PICTURES = new URL('./.pictures/', import.meta.url).pathname;
const provider = new NodeTracerProvider({ spanProcessors: [new PanelSpanProcessor()] });

let browser: Browser;
beforeAll(async () => {
  provider.register();
  browser = await launch();
});
afterAll(async () => {
  await browser.close();
  await provider.shutdown();
  for (const api of [trace, context, propagation]) api.disable();
});

describe.each(platforms)('the traces of calls in a browser, on $name', (platform) => {
  let url: string;
  beforeAll(async () => {
    ({ url } = await servePanel(platform));
  });
  afterAll(closeAll);

  it('are shown beside the result of a tool, and in the drawer of a call', async () => {
    const { page, context: tab, faults } = await open(browser, url);
    await page.getByRole('link', { name: /^tasks_list/ }).click();
    // The key does nothing until the form of the tool is drawn.
    await page.getByRole('button', { name: /^Run/ }).waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('tab', { name: 'Trace' }).click();
    const result = page.getByRole('region', { name: 'Result' });
    await result.getByText('tools/call tasks_list').waitFor();
    await result.getByText('resolve tenant').waitFor();

    await callTool(url, 'tasks_get', { id: 99 });
    await page.getByRole('link', { name: /^Calls/ }).click();
    await page.getByRole('button', { name: 'tasks_get' }).first().click();
    const drawer = page.getByRole('complementary', { name: 'Call' });
    await drawer.getByText('tools/call tasks_get failed').waitFor();
    const bars = await drawer
      .locator('.wf b')
      .evaluateAll<number[], HTMLElement>((all) =>
        all.map((bar) => bar.getBoundingClientRect().width),
      );
    expect(bars.length).toBeGreaterThanOrEqual(2);
    expect(bars[0]).toBeGreaterThan(bars[1]!);
    await page.screenshot({ path: `${PICTURES}trace-${platform.name}.png` });
    await tab.close();
    expect(faults).toEqual([]);
  });
});
