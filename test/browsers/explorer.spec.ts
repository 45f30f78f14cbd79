// The explorer at the path of an endpoint, in a real browser without a network, behind helmet's defaults.
import axe from 'axe-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { launch } from './support/browser.js';
import { closeAll, platforms } from '../support/platforms.js';
import { say, serveChat, ways } from './support/served-graphql.js';
import { LONGEST_WAIT_MS } from '../support/longest-wait.js';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());
afterEach(closeAll);

/** Opens the explorer, and collects everything that goes wrong in it. */
async function explore(url: string) {
  const context = await browser.newContext({ colorScheme: 'light', reducedMotion: 'reduce' });
  const page = await context.newPage();
  page.setDefaultTimeout(LONGEST_WAIT_MS);
  const faults: string[] = [];
  const { origin } = new URL(url);
  await context.route('**', (route) => {
    const asked = route.request().url();
    if (asked.startsWith(`${origin}/`)) return route.continue();
    faults.push(`network: ${asked}`);
    return route.abort();
  });
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) faults.push(`console: ${message.text()}`);
  });
  page.on('requestfailed', (request) => faults.push(`failed: ${request.url()}`));
  page.on('response', (response) => {
    if (response.status() >= 400) faults.push(`${response.status()}: ${response.url()}`);
  });
  const answer = await page.goto(url);
  // The policy of helmet applies beside that of the page.
  expect(await answer?.headerValue('content-security-policy')).toContain("script-src-attr 'none'");
  await page.getByRole('button', { name: 'Query', exact: true }).waitFor();
  return { page, context, faults };
}

/** Replaces the text of an editor. */
async function write(page: Page, label: string, text: string): Promise<void> {
  await page.getByRole('textbox', { name: label }).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(text);
}

/** Chooses a completion. The editor ignores a click while it still looks for completions, as after fast typing. */
async function complete(page: Page, name: string): Promise<void> {
  const option = page.getByRole('option', { name });
  await option.waitFor();
  while (await option.isVisible()) {
    await option.click({ timeout: 1_000 }).catch(() => undefined);
    await option.waitFor({ state: 'hidden', timeout: 200 }).catch(() => undefined);
  }
}

/** Runs the operation, and returns the shown answer. */
async function answer(page: Page): Promise<string> {
  await page.keyboard.press('Control+Enter');
  const status = page.getByRole('status');
  await status.getByText(/ in \d+ ms$/).waitFor();
  return (await page.getByLabel('Response').textContent()) ?? '';
}

async function runs(page: Page, operation: string): Promise<string> {
  await write(page, 'Operation', operation);
  return answer(page);
}

/** Says something until it is heard: the subscription starts at a time that the page does not show. */
async function heard(url: string, text: string, event: Locator): Promise<void> {
  while ((await event.count()) === 0) {
    await say(url, text);
    await event
      .first()
      .waitFor({ timeout: 100 })
      .catch(() => undefined);
  }
}

/** The mistakes that axe finds. Its source is evaluated, because the page's policy refuses other scripts. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate<string[]>(
    `axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] }).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`,
  );
}

describe.each(platforms)('the explorer in a browser on $name', (platform) => {
  it.each(ways)('runs queries, mutations and subscriptions of %s', async (way) => {
    const { url } = await serveChat(platform, way);
    const { page, context, faults } = await explore(url);

    await page.getByRole('textbox', { name: 'Operation' }).click();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('{ gree');
    await complete(page, 'greeting');
    expect(await answer(page)).toContain('"greeting": "hello world"');
    expect(await runs(page, 'mutation { say(text: "hi") }')).toContain('"say": "hi"');

    await write(page, 'Variables', '{ "to": "ann" }');
    const greeting = 'query ($to: String) { greeting(to: $to) }';
    expect(await runs(page, greeting)).toContain('"greeting": "hello ann"');

    await page.getByRole('tab', { name: 'Variables' }).press('ArrowRight');
    await write(page, 'Headers', '{ "authorization": "Bearer ann" }');
    expect(await runs(page, '{ header(name: "authorization") }')).toContain('"Bearer ann"');

    const failed = await runs(page, '{ broken }');
    expect(failed).toContain('out of order');
    expect(failed).not.toMatch(/stack|\.ts\b|node_modules/);

    await write(page, 'Operation', 'subscription { message { said from } }');
    await page.getByRole('button', { name: 'Run' }).click();
    const event = page.getByRole('list', { name: /^Events/ }).getByRole('listitem');
    await heard(url, 'news', event);
    expect(await event.first().textContent()).toMatch(/"said": "news".*"from": "Bearer ann"/s);
    const over = way.includes('event streams') ? 'as event stream' : 'over WebSocket';
    await page.getByRole('status').getByText(over).waitFor();
    expect(faults).toEqual([]);

    // The browser calls an event stream that it ends a failed request.
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Run' }).waitFor();
    await context.close();
  });
});

describe('the page of the explorer', () => {
  const [express] = platforms;

  it('opens the operation of a link in a tab of its own', async () => {
    const { url } = await serveChat(express!, 'the mount');
    const { page, context, faults } = await explore(url);
    await write(page, 'Operation', '{ greeting(to: "mine") }');
    await write(page, 'Variables', '{ "mine": 1 }');
    const texts = async () => [
      await page.getByRole('textbox', { name: 'Operation' }).innerText(),
      await page.getByRole('textbox', { name: 'Variables' }).innerText(),
    ];
    await page.goto(`${url}?query=${encodeURIComponent('{ greeting(to: "linked") }')}`);
    await page.getByText('"linked"').waitFor();
    expect((await texts()).join()).not.toContain('mine');
    await page.goto(url);
    await page.getByText('"linked"').waitFor();
    const own = page.getByRole('tablist', { name: 'Operations' }).getByRole('tab').first();
    await own.click();
    await page.getByText('greeting(to: "mine")').waitFor();
    expect((await texts()).join()).toContain('"mine": 1');
    await context.close();
    expect(faults).toEqual([]);
  });

  it('begins with a query of the schema, formats it, and opens it again from the history', async () => {
    const { url } = await serveChat(express!, 'the mount');
    const { page, context, faults } = await explore(url);
    const operation = page.getByRole('textbox', { name: 'Operation' });
    await operation.getByText('greeting').waitFor();
    expect(await answer(page)).toContain('"greeting": "hello world"');

    await page.getByRole('button', { name: 'New tab' }).click();
    await write(page, 'Operation', 'query Greet{greeting(to:"ann") # a name\n}');
    await page.getByRole('button', { name: 'Prettify' }).click();
    expect(await operation.innerText()).toContain('{\n  greeting(to: "ann") # a name\n}');
    await answer(page);
    const opened = page.getByRole('tablist', { name: 'Operations' }).getByRole('tab');
    expect(await opened.allTextContents()).toEqual(['greeting', 'Greet']);
    await page.getByRole('button', { name: 'Close tab' }).click();
    expect(await opened.allTextContents()).toEqual(['greeting']);

    await page.reload();
    await page.getByRole('button', { name: 'History' }).click();
    await page.getByRole('button', { name: /^Greet/ }).click();
    expect(await operation.innerText()).toContain('query Greet');
    expect(await violations(page)).toEqual([]);
    await context.close();
    expect(faults).toEqual([]);
  });

  it('fits into 400 pixels', async () => {
    const { url } = await serveChat(express!, 'the mount');
    const { page, context, faults } = await explore(url);
    await page.setViewportSize({ width: 400, height: 800 });
    await answer(page);
    const clipped = await page.evaluate<string[]>(
      `[...document.querySelectorAll('header *, .bar *, .tabbar *')]
        .filter((part) => part.getBoundingClientRect().right > 400 || part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0)
        .map((part) => part.outerHTML)`,
    );
    expect(clipped).toEqual([]);
    await context.close();
    expect(faults).toEqual([]);
  });

  it('shows the schema, a mistake in the operation, a link, and two themes that pass axe', async () => {
    const { url } = await serveChat(express!, 'the mount');
    const { page, context, faults } = await explore(
      `${url}?query=${encodeURIComponent('{ nope }')}`,
    );
    await page.locator('.cm-lintRange-error').waitFor();

    await page.getByRole('button', { name: 'Query', exact: true }).click();
    const docs = page.getByRole('complementary', { name: 'Documentation' });
    await docs.getByText('The questions of a chat.').waitFor();
    await docs.getByText('= "world"').waitFor();
    await docs.getByRole('button', { name: 'Schema' }).click();
    await docs.getByRole('searchbox').fill('said');
    await docs.getByRole('button', { name: 'Message' }).click();
    await docs.getByText('What was said.').waitFor();

    await runs(page, '{ greeting(to: "ann") }');
    const color = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const light = await color();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Switch to dark theme' }).click();
    expect(await violations(page)).toEqual([]);
    expect(await color()).not.toBe(light);

    await page.reload();
    await page.getByRole('button', { name: 'Switch to light theme' }).waitFor();
    await context.close();
    expect(faults).toEqual([]);
  });

  it('says why there is no schema, and runs operations', async () => {
    const { url } = await serveChat(express!, 'the mount without introspection');
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(url);
    await page.getByText('Without introspection there is no documentation').waitFor();
    expect(await runs(page, '{ greeting }')).toContain('"greeting": "hello world"');
    await context.close();
  });

  it('says why there are no events', async () => {
    const { url } = await serveChat(express!, 'Apollo without sockets');
    const { page, context } = await explore(url);
    await write(page, 'Operation', 'subscription { message { said } }');
    await page.keyboard.press('Control+Enter');
    const alert = page.getByRole('alert');
    await alert.getByText('The endpoint serves no event streams (406).').waitFor();
    expect(await page.getByText('Waiting for events').count()).toBe(0);
    await context.close();
  });
});
