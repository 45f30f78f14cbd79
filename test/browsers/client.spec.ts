// A table of TanStack Table in Chromium, over the lists of the demo.
import type { IncomingMessage } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { AppModule } from '../../apps/tasks/src/app.module.js';
import { launch } from './support/browser.js';
import { browserProgram } from '../support/browser-program.js';
import { closeAll, platforms, serve } from '../support/platforms.js';
import { LONGEST_WAIT_MS } from '../support/longest-wait.js';

const HTML = `<!doctype html>
<title>Tasks</title>
<link rel="icon" href="data:,">
<label>Search <input id="search"></label>
<label>Due from <input id="from" type="date"></label>
<label>Status <select id="statuses" multiple>
  <option>open</option><option>in_progress</option><option>done</option>
</select></label>
<table><thead><tr></tr></thead><tbody></tbody></table>
<button id="next">Next</button> <output></output>
<script type="module" src="/table.js"></script>`;

let browser: Browser;
let script = '';
beforeAll(async () => {
  script = browserProgram('test/browsers/support/table.mjs').code;
  browser = await launch();
});
afterAll(() => browser.close());

describe.each(platforms)('a table in a browser, over $name', (platform) => {
  /** The lists that the server got, decoded. */
  const asked: string[] = [];
  let url = '';
  let page: Page;
  /** Errors of scripts, and what the browser complains about. */
  let faults: string[];

  beforeAll(async () => {
    process.env['TASKS_DATA'] = 'memory://';
    const served = await serve(AppModule, platform, undefined, { forceCloseConnections: true });
    url = served.url;
    served.app.getHttpServer().on('request', (request: IncomingMessage) => {
      asked.push(decodeURIComponent(request.url ?? '').replace('/tasks?', ''));
    });
  });
  afterAll(closeAll);

  beforeEach(async () => {
    page = await browser.newPage();
    page.setDefaultTimeout(LONGEST_WAIT_MS);
    faults = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (line) => line.type() === 'error' && faults.push(line.text()));
    await page.route('**/table.html', (route) =>
      route.fulfill({ contentType: 'text/html', body: HTML }),
    );
    await page.route('**/table.js', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: script }),
    );
    await page.goto(`${url}/table.html`);
    expect((await answerTo('page=1&limit=5')).line).toBe('12 tasks, page 1 of 3');
  });
  afterEach(async () => {
    await page.close();
    expect(faults).toEqual([]);
  });

  /** What the table shows, once it shows the answer to the query that the server got last. */
  async function answerTo(query: string) {
    const output = page.locator(`output[data-query="${query}"]`);
    await output.waitFor();
    expect(asked.at(-1)).toBe(query);
    const cells = (place: number) => page.locator(`tbody td:nth-child(${place})`).allTextContents();
    return {
      line: await output.textContent(),
      titles: await cells(1),
      statuses: new Set(await cells(2)),
      dueDates: await cells(3),
    };
  }

  it('is sorted by its headers, and shows the next page', async () => {
    await page.getByRole('button', { name: 'title' }).click();
    const first = await answerTo('sort=title:asc&page=1&limit=5');
    expect(first.titles[0]).toBe('Answer the security questionnaire of Northwind');

    await page.getByRole('button', { name: 'Next' }).click();
    const second = await answerTo('sort=title:asc&page=2&limit=5');
    expect(second.line).toBe('12 tasks, page 2 of 3');
    const titles = [...first.titles, ...second.titles];
    expect(titles).toEqual(titles.toSorted());

    await page.getByRole('button', { name: 'title' }).click();
    const last = await answerTo('sort=title:desc&page=1&limit=5');
    expect(last.titles[0]).toBe('Write the onboarding guide for support');
  });

  it('is filtered by several values, and by a range with one bound', async () => {
    await page.getByLabel('Status').selectOption(['in_progress', 'done']);
    const chosen = await answerTo('filter=status:in:in_progress,done&page=1&limit=5');
    expect(chosen.line).toBe('5 tasks, page 1 of 1');
    expect(chosen.statuses).toEqual(new Set(['in_progress', 'done']));

    await page.getByLabel('Status').selectOption([]);
    await answerTo('page=1&limit=5');
    await page.getByLabel('Due from').fill('2000-01-01');
    await page.getByLabel('Due from').blur();
    const due = await answerTo('filter=dueDate:gte:2000-01-01&page=1&limit=5');
    expect(due.line).toBe('11 tasks, page 1 of 3');
    expect(due.dueDates).not.toContain('');
  });

  it('is searched', async () => {
    await page.getByLabel('Search').fill('the & co');
    await page.getByLabel('Search').blur();
    expect((await answerTo('page=1&limit=5&q=the+&+co')).line).toBe('0 tasks, page 1 of 0');
    await page.getByLabel('Search').fill('ONBOARDING');
    await page.getByLabel('Search').blur();
    const { titles } = await answerTo('page=1&limit=5&q=ONBOARDING');
    expect(titles).toEqual(['Write the onboarding guide for support']);
  });
});
