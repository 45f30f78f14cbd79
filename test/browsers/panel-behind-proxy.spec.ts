// The page behind a reverse proxy that strips a prefix, in a real browser, with helmet's defaults in the application.
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { closeAll, platforms } from '../support/platforms.js';
import { callTool } from './support/agent.js';
import { launch, open } from './support/browser.js';
import { servePanel } from './support/served-panel.js';

const PREFIX = '/svc/tasks';

let browser: Browser;
let proxy: Server;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());
afterEach(async () => {
  proxy.closeAllConnections();
  proxy.close();
  await closeAll();
});

/** Passes requests below the prefix on without it, as nginx does with a path in `proxy_pass`. */
async function proxyTo(target: string): Promise<string> {
  const { hostname, port, host } = new URL(target);
  proxy = createServer((incoming, outgoing) => {
    const { method, headers, url = '' } = incoming;
    if (!url.startsWith(`${PREFIX}/`)) return void outgoing.writeHead(404).end('of the proxy');
    const forwarded = {
      ...headers,
      host,
      'x-forwarded-host': headers.host,
      'x-forwarded-for': '127.0.0.1',
    };
    const path = url.slice(PREFIX.length);
    const sent = request({ hostname, port, method, path, headers: forwarded }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      // Without it, a stream reaches the browser with its first event only.
      outgoing.flushHeaders();
      answer.pipe(outgoing);
    });
    sent.on('error', () => outgoing.destroy());
    outgoing.on('close', () => sent.destroy());
    incoming.pipe(sent);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return `http://localhost:${(proxy.address() as AddressInfo).port}${PREFIX}`;
}

describe.each(platforms)('the panel behind a proxy, on $name', (platform) => {
  it('runs tools, follows calls and asks for tenants, under its own CSP', async () => {
    const { url } = await servePanel(platform);
    const proxied = await proxyTo(url);
    const { page, context, faults } = await open(browser, proxied);
    const asked: string[] = [];
    page.on('request', (sent) => asked.push(sent.url()));

    const loaded = await page.goto(`${proxied}/_fledge`);
    expect(loaded?.url()).toBe(`${proxied}/_fledge/`);
    expect(await loaded?.headerValue('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
        "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    await page.getByRole('link', { name: /^tasks_list/ }).click();
    // The key does nothing until the form of the tool is drawn.
    await page.getByRole('button', { name: /^Run/ }).waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('main').getByText('200 OK').waitFor();
    await page.getByRole('tab', { name: 'HTTP request' }).click();
    await page.getByText(`curl '${proxied}/tasks'`).waitFor();

    await page.getByRole('link', { name: /^Calls/ }).click();
    await callTool(proxied, 'tasks_get', { id: 99 });
    await page.getByRole('button', { name: 'tasks_get' }).waitFor();

    await page.getByRole('link', { name: /^Tenants/ }).click();
    await page.getByLabel('Path').fill('/tasks');
    await page.getByRole('button', { name: /^Resolve/ }).click();
    await page.getByRole('status').getByText('acme').waitFor();

    expect(asked.filter((address) => !address.startsWith(`${proxied}/`))).toEqual([]);
    await context.close();
    expect(faults).toEqual([]);
  });

  it('says when the stream of calls is lost, keeps the rows, and goes on', async () => {
    const { url } = await servePanel(platform);
    const proxied = await proxyTo(url);
    const { port } = new URL(proxied);
    const { page, context } = await open(browser, proxied);
    await page.getByRole('link', { name: /^Calls/ }).click();
    await callTool(proxied, 'tasks_list', { limit: 2 });
    await page.getByRole('button', { name: 'tasks_list' }).waitFor();

    proxy.close();
    proxy.closeAllConnections();
    await page.getByText('Live updates stopped.').waitFor();
    expect(await page.getByRole('button', { name: 'tasks_list' }).count()).toBe(1);

    await callTool(url, 'tasks_get', { id: 99 });
    proxy.listen(Number(port), '127.0.0.1');
    await once(proxy, 'listening');
    await page.getByRole('button', { name: 'tasks_get' }).waitFor();
    await page.getByText('Live updates stopped.').waitFor({ state: 'detached' });
    await context.close();
  });
});
