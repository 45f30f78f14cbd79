// The built site in Chromium: narrow windows, search, dark mode, axe. Pictures go to docs/.pictures.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import axe from 'axe-core';
import { chromium } from 'playwright-core';
import { serveSite } from './serve-site.mjs';

const here = join(import.meta.dirname, '..');
const pictures = join(here, '.pictures');
const MAIN = [
  '/',
  '/start',
  '/mcp/',
  '/mcp/why',
  '/mcp/options',
  '/tenant/errors',
  '/tenant/row-level-security',
  '/query/adapters',
  '/coming-from/nestjs-paginate',
  '/compatibility',
  '/benchmarks',
  '/api/mcp/src',
];
const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

let browser;
let site;
before(async () => {
  mkdirSync(pictures, { recursive: true });
  site = await serveSite(join(here, '.dist'));
  const path = [process.env.CHROMIUM_PATH ?? '', ...CHROMIUM].find((each) => existsSync(each));
  assert.ok(path, 'Install Chromium (Debian: apt-get install chromium), or set CHROMIUM_PATH.');
  browser = await chromium.launch({
    executablePath: path,
    args: ['--no-sandbox', '--disable-gpu'],
  });
});
after(async () => {
  await browser?.close();
  site?.close();
});

/** Opens a page in a context of its own, and reports errors of scripts and missing files. */
async function open(path, { width = 1400, theme = 'light' } = {}) {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: theme,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const faults = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('response', (answer) => {
    if (answer.status() >= 400) faults.push(`${answer.status()} ${answer.url()}`);
  });
  await page.goto(site.url + path, { waitUntil: 'networkidle' });
  return { page, context, faults };
}

function nameOf(path, width, theme) {
  return `${path.replaceAll('/', '-').slice(1) || 'home'}-${width}-${theme}.png`;
}

for (const width of [400, 1400]) {
  for (const theme of ['light', 'dark']) {
    test(`main pages at ${width} pixels, ${theme}: no sideways scrolling, no faults, axe AA`, async () => {
      for (const path of MAIN) {
        const { page, context, faults } = await open(path, { width, theme });
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= width, `${path} is ${wide} pixels wide`);
        const isDark = await page.evaluate(() =>
          document.documentElement.classList.contains('dark'),
        );
        assert.equal(isDark, theme === 'dark', path);
        await page.evaluate(axe.source);
        const { violations } = await page.evaluate(() =>
          globalThis.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] }),
        );
        const found = violations.map(({ id, nodes }) => [
          id,
          nodes.slice(0, 3).map(({ html }) => html),
        ]);
        assert.deepEqual(found, [], path);
        await page.screenshot({ path: join(pictures, nameOf(path, width, theme)) });
        assert.deepEqual(faults, [], path);
        await context.close();
      }
    });
  }
}

test('each page fits 400 pixels', async () => {
  const { page, context } = await open('/', { width: 400 });
  const pages = readdirSync(join(here, '.dist'), { recursive: true })
    .filter((file) => file.endsWith('.html') && file !== '404.html')
    .map((file) => `/${file.replace(/(index)?\.html$/, '')}`);
  assert.ok(pages.length > 70, `only ${pages.length} pages`);
  for (const path of pages) {
    await page.goto(site.url + path, { waitUntil: 'load' });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 400, `${path} is ${wide} pixels wide`);
  }
  await context.close();
});

test('search finds a page by an error code', async () => {
  const { page, context } = await open('/');
  await page.locator('.VPNavBarSearch button').first().click();
  await page.locator('#localsearch-input').fill('TENANT_SUSPENDED');
  await page.locator('.VPLocalSearchBox .result').first().click();
  await page.waitForURL(/\/tenant\/errors/);
  await context.close();
});

test('the switch turns dark mode on, and it stays', async () => {
  const { page, context } = await open('/start');
  await page.locator('.VPNavBar .VPSwitchAppearance').first().click();
  await page.reload();
  assert.ok(await page.evaluate(() => document.documentElement.classList.contains('dark')));
  await context.close();
});

test('llms.txt lists pages, each served as Markdown', async () => {
  const list = readFileSync(join(here, '.dist/llms.txt'), 'utf8');
  const links = [...list.matchAll(/\]\((\/[^)]+\.md)\)/g)].map(([, link]) => link);
  assert.ok(links.length > 60, `only ${links.length} links`);
  for (const link of links) assert.ok(existsSync(join(here, '.dist', link)), link);
});
