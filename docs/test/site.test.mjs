// The built site in Chromium: narrow windows, search, dark mode, axe. Pictures go to docs/.pictures.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import axe from 'axe-core';
import { chromium } from 'playwright-core';
import { SEARCHES } from './searches.mjs';
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

for (const width of [400, 800, 1400]) {
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

test('search shows the page for what users type first or second', async () => {
  const { page, context, faults } = await open('/');
  await page.locator('.VPNavBarSearch button').first().click();
  const wrong = [];
  for (const [words, expected] of SEARCHES) {
    await page.locator('#localsearch-input').fill('');
    await page.locator('.VPLocalSearchBox .result').first().waitFor({ state: 'detached' });
    await page.locator('#localsearch-input').fill(words);
    await page.locator('.VPLocalSearchBox .result').first().waitFor();
    const hrefs = await page
      .locator('.VPLocalSearchBox .result')
      .evaluateAll((links) => links.slice(0, 2).map((link) => link.getAttribute('href')));
    const isFound = hrefs.some((href) => href.replace(/#.*/, '') === expected);
    if (!isFound) wrong.push([words, ...hrefs]);
  }
  assert.deepEqual(wrong, []);
  await page.locator('#localsearch-input').fill('TENANT_SUSPENDED');
  await page.locator('.VPLocalSearchBox .result[href^="/tenant/errors"]').first().click();
  await page.waitForURL(/\/tenant\/errors/);
  assert.deepEqual(faults, []);
  await context.close();
});

test('options are cards on a phone, whose cells say what they are', async () => {
  const { page, context } = await open('/mcp/options', { width: 400 });
  const row = page.getByRole('row').filter({ hasText: 'basePath' });
  const [name, standard] = await row.getByRole('cell').evaluateAll((cells) =>
    cells.map((cell) => ({
      ...cell.getBoundingClientRect().toJSON(),
      label: getComputedStyle(cell, '::before').content,
    })),
  );
  assert.ok(standard.top >= name.bottom, 'the default stands beside the name');
  assert.equal(standard.label, '"Default: "');
  await context.close();
});

test('a page leads on by need, and to the editor of its text', async () => {
  const { page, context } = await open('/query/');
  const pager = page.locator('.VPDocFooter');
  assert.match(await pager.locator('.pager-link.next').textContent(), /Why/);
  assert.equal(
    await pager.locator('.edit-link-button').getAttribute('href'),
    'https://github.com/fledge-js/fledge/edit/main/libs/query/README.md',
  );
  await page.goto(`${site.url}/query/options`);
  await page.locator('.VPDocFooter .pager-link.next').waitFor();
  assert.equal(await page.locator('.edit-link-button').count(), 0, 'the page is generated');
  await page.goto(`${site.url}/query/security`);
  assert.match(await page.locator('.pager-link.next').textContent(), /Multi-tenancy/);
  await context.close();
});

test('code wraps, has a button that copies it, and a tab for each package manager', async () => {
  const { page, context } = await open('/mcp/', { width: 400 });
  const cut = await page
    .locator('.vp-doc pre')
    .evaluateAll((blocks) =>
      blocks.filter((pre) => pre.scrollWidth > pre.clientWidth + 1).map((pre) => pre.textContent),
    );
  assert.deepEqual(cut, []);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const group = page.locator('.vp-code-group').first();
  await group.locator('label', { hasText: 'pnpm' }).click();
  await group.locator('.active button.copy').click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(copied, /^pnpm add @fledge\/mcp/m);
  await context.close();
});

test('the home page has a program with its output', async () => {
  const { page, context } = await open('/');
  const program = page.locator('.home-program');
  await program.getByText('@McpTool').first().waitFor();
  assert.equal(await program.locator('button.copy').count(), 2);
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
