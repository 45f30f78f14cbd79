import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { LONGEST_WAIT_MS } from '../../support/longest-wait.js';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** How long tests wait for the browser, also on a busy machine. Below the limit of a test, so that failures say what is missing. */

/** Starts Chromium. On Debian it is installed first if it is missing and the process may do so. */
export function launch(): Promise<Browser> {
  const path = installed() ?? afterInstalling();
  return chromium.launch({
    executablePath: path,
    timeout: LONGEST_WAIT_MS,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
}

function installed(): string | undefined {
  return [process.env['CHROMIUM_PATH'] ?? '', ...PLACES].find((path) => existsSync(path));
}

function afterInstalling(): string {
  if (process.getuid?.() === 0 && isDebian()) {
    execFileSync('apt-get', ['install', '--yes', '--no-install-recommends', 'chromium'], {
      stdio: 'ignore',
    });
  }
  const path = installed();
  if (path !== undefined) return path;
  throw new Error(
    'The browser tests need Chromium. Install it (Debian: apt-get install chromium), or set CHROMIUM_PATH to a Chromium or Chrome.',
  );
}

function isDebian(): boolean {
  return (
    existsSync('/etc/os-release') && /\bdebian\b/.test(readFileSync('/etc/os-release', 'utf8'))
  );
}

/** A page of the panel, and everything that went wrong in it. */
export interface Opened {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Dialogs, script errors, and the browser's complaints, such as those about the page's CSP. */
  readonly faults: string[];
}

export interface OpenOptions {
  /** Null: the tab is new, and has chosen no headers. */
  readonly token?: string | null;
  readonly theme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
}

/** Opens the panel in a tab of its own. */
export async function open(
  browser: Browser,
  url: string,
  options: OpenOptions = {},
): Promise<Opened> {
  const { token = 'demo-token-ada', theme = 'light', width = 1280, height = 800 } = options;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(LONGEST_WAIT_MS);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()}`);
  });
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  if (token !== null) {
    const headers = [{ name: 'Authorization', value: `Bearer ${token}` }];
    await page.addInitScript(
      `sessionStorage.setItem('fledge.headers', ${JSON.stringify(JSON.stringify(headers))})`,
    );
  }
  await page.goto(`${url}/_fledge/`);
  await page.getByText('task-api').waitFor();
  return { page, context, faults };
}
