// From the URL of the endpoint to a tool call through the bridge: the official clients and a real browser.
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type INestApplication, Logger } from '@nestjs/common';
import type { Browser } from 'playwright-core';
import { startBridge, startUpstream } from '../oidc/bridge.js';
import { connection } from '../oidc/connection.js';
import { type Callback, callback, loginClient } from '../oidc/login.js';
import { eras } from '../support/eras.js';
import { launch } from '../../../../test/browsers/support/browser.js';
import { closeNow } from '../../../../test/support/close-now.js';
import { platforms } from '../../../../test/support/platforms.js';
import { freePort, type Running } from '../../../../test/support/processes.js';
import { LONGEST_WAIT_MS } from '../../../../test/support/longest-wait.js';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

describe.each(platforms)('a login through the bridge on $name', (platform) => {
  let app: INestApplication;
  let upstream: { url: string; running: Running };
  let origin: string;
  let back: Callback | undefined;

  beforeAll(async () => {
    jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    const port = await freePort();
    origin = `http://127.0.0.1:${port}`;
    upstream = await startUpstream(`${origin}/oauth/interaction/callback`);
    app = await startBridge(platform, port, upstream.url);
  });
  afterEach(() => back?.close());
  afterAll(async () => {
    await Promise.all([closeNow(app), upstream.running.stop()]);
    jest.restoreAllMocks();
  });

  it.each(eras)('takes a client of %s that has nothing but the URL to a tool call', async (era) => {
    const endpoint = `${origin}/_mcp/messages`;
    back = await callback();
    const client = loginClient(back.url);
    const first = connection(era, endpoint, client);
    await expect(first.connect()).rejects.toThrow(/unauthorized/i);
    const { authorization } = client.saved;
    expect(authorization?.origin).toBe(origin);

    const context = await browser.newContext();
    const page = await context.newPage();
    page.setDefaultTimeout(LONGEST_WAIT_MS);
    const faults: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' && page.url().startsWith(origin)) faults.push(message.text());
    });
    await page.goto(String(authorization));
    expect(page.url().startsWith(upstream.url)).toBe(true);
    await page.fill('input[name=login]', 'ada');
    await page.fill('input[name=password]', 'secret');
    await page.click('button[type=submit]');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Allow access?' }).waitFor();
    expect(await page.locator('main').innerText()).toContain(
      'Spec client requests access on your behalf',
    );
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByText('You may close this window.').waitFor();
    expect(faults).toEqual([]);
    await context.close();
    await first.finish(await back.answer);

    const second = connection(era, endpoint, client);
    await second.connect();
    const result = (await second.client.callTool({ name: 'who', arguments: {} })) as {
      content: { text: string }[];
    };
    expect(JSON.parse(result.content[0]?.text ?? '')).toEqual({
      id: `${origin}/oauth#ada`,
      email: 'ada@example.com',
    });
    await second.client.close();
  });
});
