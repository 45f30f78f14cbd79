// The pictures of the documentation, taken from the demo by `npm run pictures`. A picture is out of date if its page says
// something else today, so the texts of each page are kept next to the pictures.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { AppModule } from '../../apps/tasks/src/app.module.js';
import { closeAll, platforms, serve } from '../support/platforms.js';
import { callTool, openSession } from './support/agent.js';
import { launch, open } from './support/browser.js';

const isTaking = process.env['PICTURES'] === 'write';
const TASK = { title: 'Renew the certificate of the shop', priority: 'urgent' };

interface Picture {
  /** Path without the theme and the extension. */
  readonly file: string;
  readonly show: (page: Page, url: string) => Promise<void>;
}

const PICTURES: readonly Picture[] = [
  { file: 'libs/panel/docs/panel', show: showCall },
  { file: 'libs/graphql/docs/explorer', show: showExplorer },
];

/** An agent calls the API, and the panel shows the call. */
async function showCall(page: Page, url: string): Promise<void> {
  await openSession(url);
  await callTool(url, 'tasks_list', { filter: ['status:eq:open'], limit: 3 });
  await callTool(url, 'tasks_get', { id: 1 });
  await callTool(url, 'tasks_get', { id: 99 });
  await callTool(url, 'tasks_create', TASK);
  await callTool(url, 'tasks_complete', { id: 1 });
  await callTool(url, 'tasks_list', { sort: ['status'] });
  await callTool(url, 'tasks_update', { id: 2, priority: 'high' });
  await callTool(url, 'tasks_list', { q: 'backup' });
  await page.getByRole('link', { name: /^Calls/ }).click();
  await page.getByRole('button', { name: 'tasks_create' }).click();
  const drawer = page.getByRole('complementary', { name: 'Call' });
  await drawer.getByText(TASK.title).waitFor();
  await page.getByRole('link', { name: 'Open calls' }).getByText('last 60 s').waitFor();
  // Without the focus ring of the drawer.
  await page.evaluate('document.activeElement.blur()');
}

async function showExplorer(page: Page): Promise<void> {
  await page.getByRole('link', { name: /^GraphQL/ }).click();
  await page.getByRole('link', { name: 'Open explorer' }).click();
  await page.getByRole('textbox', { name: 'Operation' }).getByText('tasks').waitFor();
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByLabel('Response').getByText('"title"').first().waitFor();
  await page.getByRole('button', { name: 'Query', exact: true }).click();
  await page.getByRole('button', { name: 'TaskPage!' }).first().click();
}

/** The texts of a page, without numbers: times differ. */
async function textsOf(page: Page): Promise<string> {
  const outline = await page.locator('body').ariaSnapshot();
  return `${outline.replaceAll(/\d[\d.,:]*/g, '#')}\n`;
}

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());
afterEach(closeAll);

describe.each(PICTURES)('the picture $file', ({ file, show }) => {
  it('shows what the page of the demo says', async () => {
    let texts = '';
    for (const theme of ['light', 'dark'] as const) {
      // A new application for each theme, so that the numbers are the same.
      process.env['TASKS_DATA'] = 'memory://';
      const { url } = await serve(AppModule, platforms[0]!, undefined, {
        forceCloseConnections: true,
      });
      const address = url.replace('127.0.0.1', 'localhost');
      const { page, context, faults } = await open(browser, address, {
        token: null,
        theme,
        width: 1280,
        height: 560,
      });
      await show(page, address);
      texts = await textsOf(page);
      if (isTaking) await page.screenshot({ path: `${file}-${theme}.png` });
      await context.close();
      expect(faults).toEqual([]);
      expect([theme, existsSync(`${file}-${theme}.png`)]).toEqual([theme, true]);
    }
    if (isTaking) writeFileSync(`${file}.outline.txt`, texts);
    // If this fails, run: npm run pictures
    expect(texts).toBe(readFileSync(`${file}.outline.txt`, 'utf8'));
  });
});
