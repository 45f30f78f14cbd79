// How the panel looks: contrast and names by axe, narrow windows, and pictures in test/browsers/.pictures.
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import axe from 'axe-core';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { closeAll, platforms } from '../support/platforms.js';
import { callTool } from './support/agent.js';
import { launch, open, type OpenOptions } from './support/browser.js';
import { MARKUP, servePanel } from './support/served-panel.js';
import { LONGEST_WAIT_MS } from '../support/longest-wait.js';

const VIEWS = [
  'tools',
  'calls',
  'lint',
  'resources',
  'sessions',
  'tenants',
  'queries',
  'graphql',
  'snapshots',
];
const PICTURES = new URL('./.pictures/', import.meta.url).pathname;

let browser: Browser;
let url: string;
beforeAll(async () => {
  browser = await launch();
  ({ url } = await servePanel(platforms[0]!));
  await callTool(url, 'tasks_list', { limit: 2 });
  await callTool(url, 'tasks_get', { id: 99 });
  await callTool(url, 'hostile', { [MARKUP]: MARKUP, other: MARKUP });
});
afterAll(async () => {
  await browser.close();
  await closeAll();
});

/** Visits each view, and one call with its drawer. */
async function eachView(
  options: OpenOptions,
  look: (page: Page, view: string) => Promise<void>,
): Promise<void> {
  const { page, context, faults } = await open(browser, url, options);
  for (const view of [...VIEWS, 'calls/2', 'tools/hostile', 'tools/tasks_update', 'calls/3']) {
    await page.goto(`${url}/_fledge/#${view}`);
    await page.locator('main h1').first().waitFor({ state: 'attached' });
    await page.locator('[aria-busy]').waitFor({ state: 'detached' });
    await look(page, view);
  }
  await context.close();
  expect(faults).toEqual([]);
}

describe('the page of the panel', () => {
  it('is small: 42 kB with gzip', () => {
    const folder = new URL('../../libs/panel/dist/ui/', import.meta.url);
    const sizes = ['index.html', 'panel.js', 'panel.css'].map(
      (file) => gzipSync(readFileSync(new URL(file, folder)), { level: 9 }).length,
    );
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(42 * 1024);
  });

  it.each(['light', 'dark'] as const)('passes axe in each view, %s', async (theme) => {
    const found: string[] = [];
    await eachView({ theme }, async (page, view) => {
      // In the page's own world scripts of others are blocked by its CSP; evaluation is not.
      await page.evaluate(axe.source);
      const violations = await page.evaluate<string[]>(
        `axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }).then(({ violations }) =>
          violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`,
      );
      await page.screenshot({ path: `${PICTURES}${view.replace('/', '-')}-${theme}.png` });
      found.push(...violations.map((violation) => `${view}: ${violation}`));
    });
    expect(found).toEqual([]);
  });

  it('does not scroll sideways at 400 pixels', async () => {
    await eachView({ width: 400, height: 800 }, async (page, view) => {
      const wide = await page.evaluate('document.documentElement.scrollWidth');
      await page.screenshot({ path: `${PICTURES}${view.replace('/', '-')}-400.png` });
      expect([view, wide]).toEqual([view, 400]);
    });
  });
});

describe('what the application sends', () => {
  it('is shown as text, whatever it contains', async () => {
    const { page, context, faults } = await open(browser, url);
    await page.goto(`${url}/_fledge/#tools/hostile`);
    // The name that the property MARKUP of the body is published under.
    await page.getByLabel(/^script_script_alert_1/).fill(MARKUP);
    await page.keyboard.press('Control+Enter');
    await page.getByText('201 OK').waitFor();
    for (const tab of ['Structured', 'HTTP request', 'Trace', 'Text']) {
      await page.getByRole('tab', { name: tab }).click();
    }
    expect(await page.locator('main img, main script').count()).toBe(0);
    expect(await page.locator('a[href^="javascript:"]').count()).toBe(0);
    await context.close();
    expect(faults).toEqual([]);
  });

  it('is not read by a page of another origin, which cannot end a session either', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    page.setDefaultTimeout(LONGEST_WAIT_MS);
    // Another host name is another origin.
    await page.goto(`${url.replace('localhost', '127.0.0.1')}/health`);
    const tries = await page.evaluate<string[]>(`Promise.all([
      fetch('${url}/_fledge/api/state').then((r) => r.text(), () => 'blocked'),
      fetch('${url}/_fledge/api/sessions/end', { method: 'POST', body: '{"key":"x"}', mode: 'no-cors' })
        .then((r) => String(r.status), () => 'blocked'),
      fetch('${url}/_fledge/api/sessions/end', { method: 'POST', body: '{"key":"x"}', headers: { 'content-type': 'application/json' } })
        .then((r) => r.text(), () => 'blocked'),
    ])`);
    expect(tries).toEqual(['blocked', expect.stringMatching(/^(blocked|0)$/), 'blocked']);
    await context.close();
  });
});

describe('Copy', () => {
  it('works in pages that browsers give no clipboard, and keeps the focus', async () => {
    const { page, context, faults } = await open(browser, url);
    await page.addInitScript(`Object.defineProperty(navigator, 'clipboard', { value: undefined })`);
    await page.goto(`${url}/_fledge/#queries`);
    await page.reload();
    await page.getByRole('button', { name: 'Copy URL' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Copied');
    const search = page.getByRole('textbox', { name: 'Search' });
    await search.focus();
    await page.keyboard.press('Control+v');
    expect(await search.inputValue()).toBe(`${url}/tasks`);
    await context.close();
    expect(faults).toEqual([]);
  });
});

describe('a new tab', () => {
  it('sends as the first caller, and as another one that the user chooses and checks', async () => {
    const { page, context, faults } = await open(browser, url, { token: null, width: 400 });
    await page.goto(`${url}/_fledge/#tools/tasks_list`);
    await page.getByRole('button', { name: /^Run/ }).click();
    await page.getByText('200 OK').waitFor();
    // Narrow windows leave out the words before the name.
    await page.getByRole('button', { name: /Ada \(Acme\)$/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Send as' });
    const check = async (caller: string, route: string, found: string): Promise<void> => {
      await dialog.getByRole('button', { name: caller }).click();
      await dialog.getByLabel('Route to check').selectOption(route);
      await dialog.getByRole('button', { name: 'Check' }).click();
      await dialog.getByText(found, { exact: true }).waitFor();
    };
    await check('Hedy (Globex)', '/tasks', 'GET /tasks: 200, user hedy, tenant globex.');
    await page.screenshot({ path: `${PICTURES}send-as-400.png` });
    await page.evaluate(axe.source);
    const violations = await page.evaluate<string[]>(
      `axe.run('dialog').then(({ violations }) => violations.map(({ id }) => id))`,
    );
    expect(violations).toEqual([]);
    const refused = 'GET /tasks: 401, no user, no tenant: No user has this API token';
    await check('Operator', '/tasks', refused);
    await check('Operator', '/companies', 'GET /companies: 200, no user, no tenant.');
    expect(
      await dialog.getByRole('button', { name: 'Operator' }).getAttribute('aria-pressed'),
    ).toBe('true');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.reload();
    await page.getByRole('button', { name: /Operator$/ }).waitFor();
    await context.close();
    expect(faults).toEqual([]);
  });
});

describe('the keyboard', () => {
  it('reaches views, themes, headers and commands', async () => {
    const { page, context, faults } = await open(browser, url);
    await page.keyboard.press('3');
    await page.getByRole('heading', { name: 'Catalogue lint' }).waitFor();
    await page.keyboard.press('t');
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
    await page.keyboard.press('h');
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText('GET /tasks: 200, user ada, tenant acme.').waitFor();
    await page.getByText('The MCP endpoint shows 9 tools.').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Go to a view' }).waitFor();
    await page.keyboard.type('tasks_upd');
    await page.getByRole('option', { name: 'tasks_update' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'tasks_update' }).waitFor();
    await page.keyboard.press('?');
    await page.getByLabel(/Single-key shortcuts/).uncheck();
    await page.keyboard.press('Escape');
    await page.keyboard.press('1');
    await page.getByRole('heading', { name: 'tasks_update' }).waitFor();
    await context.close();
    expect(faults).toEqual([]);
  });
});

describe('a stream that breaks off', () => {
  it('is said and mended, and the rows stay', async () => {
    const { page, context } = await open(browser, url);
    await page.goto(`${url}/_fledge/#calls`);
    await page.getByRole('button', { name: 'tasks_list' }).first().waitFor();
    await page.route('**/api/calls**', (route) => route.abort());
    await page.reload().catch(() => undefined);
    await page.getByText('The application does not answer').waitFor();
    await page.unroute('**/api/calls**');
    await page.getByRole('button', { name: 'tasks_list' }).first().waitFor();
    await context.close();
  });
});
