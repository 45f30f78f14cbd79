// The page of the demo in Chromium, shown by a client that is made of the library of MCP Apps. The client applies
// the default policy: inline scripts and styles, no network.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import type { Browser, BrowserContext, FrameLocator, Page } from 'playwright-core';
import { AppModule } from '../../apps/tasks/src/app.module.js';
import { launch } from './support/browser.js';
import { browserProgram } from '../support/browser-program.js';
import { platforms, serve } from '../support/platforms.js';
import type { Shown } from './support/host.js';
import { LONGEST_WAIT_MS } from '../support/longest-wait.js';

const AUTHORIZATION = { authorization: 'Bearer demo-token-ada' };

let browser: Browser;
let program: string;

beforeAll(async () => {
  browser = await launch();
  program = browserProgram('test/browsers/support/host.ts').code;
});
afterAll(() => browser.close());

interface ShownPage {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly frame: FrameLocator;
  /** What went wrong in the page, such as violations of its policy. */
  readonly faults: string[];
}

describe.each(platforms)('the page of the demo, on $name', (platform) => {
  let app: INestApplication;
  let url: string;
  beforeAll(async () => {
    process.env['TASKS_DATA'] = 'memory://';
    ({ app, url } = await serve(AppModule, platform, undefined, { forceCloseConnections: true }));
  });
  afterAll(() => app.close());

  async function open(given: Partial<Shown> = {}): Promise<ShownPage> {
    const context = await browser.newContext({ colorScheme: 'light', reducedMotion: 'reduce' });
    const page = await context.newPage();
    page.setDefaultTimeout(LONGEST_WAIT_MS);
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
    // Of one origin with the server, as a client that calls it through its own backend.
    await page.route(`${url}/host`, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html><body></body>' }),
    );
    await page.goto(`${url}/host`);
    await page.addScriptTag({ type: 'module', content: program });
    await page.waitForFunction('typeof show === "function"');
    const shown: Shown = {
      endpoint: `${url}/_mcp/messages`,
      headers: AUTHORIZATION,
      tool: 'tasks_list',
      args: { filter: ['status:eq:open'], limit: 5 },
      theme: 'light',
      era: '2026-07-28',
      ...given,
    };
    await page.evaluate(`show(${JSON.stringify(shown)})`);
    return { context, page, frame: page.frameLocator('#page'), faults };
  }

  async function titlesOfOpenTasks(): Promise<readonly string[]> {
    const response = await fetch(`${url}/tasks?filter=status:eq:open&limit=5`, {
      headers: AUTHORIZATION,
    });
    const { data } = (await response.json()) as { data: { title: string }[] };
    return data.map(({ title }) => title);
  }

  it.each([['2026-07-28'], ['2025-11-25']] as const)(
    'shows the result of the call, in revision %s',
    async (era) => {
      const { context, frame, faults } = await open({ era });
      const titles = await titlesOfOpenTasks();
      await frame
        .getByRole('listitem')
        .nth(titles.length - 1)
        .waitFor();
      expect(await frame.locator('.title').allTextContents()).toEqual(titles);
      expect(faults).toEqual([]);
      await context.close();
    },
  );

  it('calls a tool when its button is pressed by keyboard, and shows what changed', async () => {
    const { context, page, frame, faults } = await open();
    const [first] = await titlesOfOpenTasks();
    await frame.getByRole('button', { name: `Complete ${first}` }).focus();
    await page.keyboard.press('Enter');
    await frame.getByText(`Completed ${first}.`).waitFor();
    expect(await titlesOfOpenTasks()).not.toContain(first);
    expect(await frame.locator('.title').allTextContents()).toEqual(await titlesOfOpenTasks());
    // The next button has the focus, so that the keyboard can go on.
    await page.keyboard.press('Enter');
    await frame.getByText(/^Completed (?!.*undefined)/).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  if (platform.name !== 'Express') return;

  it('turns pages, and follows the theme of the client', async () => {
    const { context, frame } = await open({ args: { limit: 2 }, theme: 'dark' });
    const before = await frame.locator('.title').allTextContents();
    await frame.getByRole('button', { name: 'Next page' }).click();
    await frame.getByText(before[0] ?? '', { exact: true }).waitFor({ state: 'detached' });
    expect(await frame.locator('.title').allTextContents()).not.toEqual(before);
    const background = await frame
      .locator('body')
      .evaluate((body) => getComputedStyle(body).backgroundColor);
    expect(background).toBe('rgb(29, 31, 35)');
    await context.close();
  });

  it('shows markup as text, and errors of tools as such', async () => {
    const title = '<img src=x onerror="parent.hacked = true"><b>bold</b>';
    await fetch(`${url}/tasks`, {
      method: 'POST',
      headers: { ...AUTHORIZATION, 'content-type': 'application/json' },
      body: JSON.stringify({ title }),
    });
    const { context, frame, faults } = await open({ args: { q: 'onerror' } });
    await frame.getByText(title, { exact: true }).waitFor();
    const failed = await open({ args: { sort: ['nothing:asc'] } });
    await failed.frame.getByRole('status').filter({ hasText: /sort/ }).waitFor();
    expect([...faults, ...failed.faults]).toEqual([]);
    await context.close();
    await failed.context.close();
  });

  it('reaches no network', async () => {
    const { context, page, frame, faults } = await open();
    const reached = await frame.locator('body').evaluate((_body, target) => {
      return fetch(target, { mode: 'no-cors' }).then(
        () => 'reached',
        () => 'refused',
      );
    }, `${url}/health`);
    expect(reached).toBe('refused');
    expect(faults.join()).toMatch(/Content Security Policy/);
    expect(await page.evaluate('typeof hacked')).toBe('undefined');
    await context.close();
  });
});
