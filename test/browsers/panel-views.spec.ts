// What a user does in each view of the panel, in a real browser, with the demo behind it.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { closeAll, platforms } from '../support/platforms.js';
import { callTool, openSession } from './support/agent.js';
import { launch, open, type Opened } from './support/browser.js';
import { servePanel } from './support/served-panel.js';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

describe.each(platforms)('the panel in a browser, on $name', (platform) => {
  let url: string;
  let opened: Opened;
  let page: Page;

  beforeAll(async () => {
    ({ url } = await servePanel(platform));
  });
  afterAll(closeAll);
  beforeEach(async () => {
    opened = await open(browser, url);
    page = opened.page;
  });
  afterEach(async () => {
    await opened.context.close();
    expect(opened.faults).toEqual([]);
  });

  const go = (view: string): Promise<void> =>
    page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: view }).click();
  const main = () => page.getByRole('main');

  it('runs a tool from its form, and shows text, structure and the HTTP request', async () => {
    await page.getByRole('link', { name: /^tasks_create/ }).click();
    await page.getByLabel('title').fill("Renew the shop's certificate");
    await page.getByText('urgent', { exact: true }).click();
    await page.getByLabel('Send null as assignee').click();
    await page.keyboard.press('Control+Enter');
    await main().getByText('201 OK').waitFor();
    const result = page.getByRole('region', { name: 'Result' });
    expect(await result.textContent()).toContain('"priority": "urgent"');
    await page.getByLabel('Filter tools').fill('tasks');
    await page.getByRole('tab', { name: 'Structured' }).click();
    expect(await result.textContent()).toContain('priority: "urgent"');
    await page.getByRole('tab', { name: 'HTTP request' }).click();
    const curl = await result.locator('pre').textContent();
    expect(curl).toContain(`curl '${url}/tasks'`);
    expect(curl).toContain("-H 'Authorization: Bearer demo-token-ada'");
    expect(curl).toContain('"assignee": null');
    expect(curl).toContain(String.raw`the shop'\''s`);
    await page.getByRole('tab', { name: 'Trace' }).click();
    await result.getByText('PanelSpanProcessor').waitFor();
  });

  it('shows why a tool refused its arguments, and edits them as JSON', async () => {
    await page.getByRole('link', { name: /^tasks_get/ }).click();
    await page.getByLabel('id').fill('1.');
    expect(await page.getByLabel('id').inputValue()).toBe('1.');
    await page.getByLabel('id').fill('x');
    await page.getByRole('button', { name: /^Run/ }).click();
    await main().getByText('isError', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'JSON', exact: true }).click();
    await page.getByLabel('Arguments as JSON').fill('{ "id": ');
    await main().getByText('Not JSON').waitFor();
    await page.getByLabel('Arguments as JSON').fill('{ "id": 1 }');
    await main().getByText('Not JSON').waitFor({ state: 'hidden' });
    await page.keyboard.press('Control+Enter');
    await main().getByText('200 OK').waitFor();
  });

  it('passes on what a tool asks its user', async () => {
    await page.getByRole('link', { name: /^tasks_delete/ }).click();
    for (const [answer, outcome] of [
      ['Decline', 'isError'],
      ['Accept', 'OK'],
    ] as const) {
      await page.getByLabel('id').fill('2');
      await page.keyboard.press('Control+Enter');
      await main().getByText('The tool asks you').waitFor();
      const yes = main().getByText('true', { exact: true });
      if (answer === 'Accept' && (await yes.count()) > 0) await yes.click();
      await page.getByRole('button', { name: answer }).click();
      await main()
        .getByRole('status')
        .getByText(new RegExp(`\\b${outcome}$`))
        .waitFor();
    }
  });

  it('shows calls as they come, pauses, filters, and opens one', async () => {
    await go('Calls');
    await callTool(url, 'tasks_get', { id: 99 });
    await main().getByRole('cell', { name: '404' }).first().waitFor();
    await page.keyboard.press('p');
    await callTool(url, 'tasks_list', { limit: 2 });
    await page.getByRole('button', { name: 'Resume (1 new)' }).click();
    await page.getByRole('button', { name: 'tasks_list' }).first().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('tool:tasks_get status:404 tenant:acme');
    expect(await page.getByRole('row').count()).toBe(2);
    await main().getByRole('cell', { name: 'ada', exact: true }).waitFor();
    await page.getByRole('button', { name: 'tasks_get' }).click();
    const drawer = page.getByRole('complementary', { name: 'Call' });
    await drawer.getByText('There is no task 99').waitFor();
    await drawer.getByText('agent-runner 0.8.2').waitFor();
    await drawer.getByRole('button', { name: 'Copy curl' }).waitFor();
    expect(page.url()).toMatch(/#calls\/\d+$/);
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.textContent')).toBe('tasks_get');
    await page.goto(`${url}/_fledge/#calls/100000`);
    await main().getByText('Call 100000 is not kept').waitFor();
    await page.getByLabel('Filter calls').fill('nothing has this');
    await page.getByRole('button', { name: 'Clear filter' }).click();
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await main().getByText('No calls yet').waitFor();
  });

  it('shows the response of a call on request', async () => {
    await callTool(url, 'tasks_list', { limit: 1 });
    await go('Calls');
    await page.getByRole('button', { name: 'tasks_list' }).first().click();
    const drawer = page.getByRole('complementary', { name: 'Call' });
    await drawer.getByRole('button', { name: 'Show response' }).click();
    await drawer.getByText('title:').first().waitFor();
    await drawer.getByRole('button', { name: 'Copy response' }).waitFor();
    await page.route('**/api/calls/result', (route) =>
      route.fulfill({ status: 404, json: { code: 'PANEL_NO_RESULT', message: 'Not kept' } }),
    );
    await page.reload();
    await drawer.getByRole('button', { name: 'Show response' }).click();
    await drawer.getByText('Not kept').waitFor();
    // The browser reports the status.
    opened.faults.splice(0);
  });

  it('weighs the catalogue', async () => {
    await go('Lint');
    await main().getByText('of 25,000, where Claude Code warns').waitFor();
    await main().getByText('What makes it wide').first().click();
    await main().getByRole('link', { name: 'tasks_list' }).first().waitFor();
  });

  it('reads a resource and gets a prompt', async () => {
    await go('Resources');
    await main().getByLabel('id').fill('1');
    await main().locator('form').getByRole('button', { name: 'Read' }).click();
    await page.getByRole('heading', { name: 'tasks://1' }).waitFor();
    await main().getByText('application/json').first().waitFor();
    await page.getByRole('button', { name: 'Get prompt' }).click();
    await page.getByRole('heading', { name: 'standup' }).waitFor();
    await main().getByText('messages').waitFor();
  });

  it('ends a session after asking once', async () => {
    await openSession(url);
    await go('Sessions');
    for (const path of ['/_mcp/messages', '/_mcp/operators']) {
      await page
        .getByRole('region', { name: `Sessions of ${path}` })
        .getByText('sessions.max: 100')
        .waitFor();
    }
    await page.getByRole('button', { name: 'End the session of claude-code' }).click();
    await page.getByRole('button', { name: 'Keep' }).click();
    await page.getByRole('button', { name: 'End the session of claude-code' }).click();
    await page.getByRole('button', { name: 'End session' }).click();
    await main().getByText('No open sessions').nth(1).waitFor();
  });

  it('says which tenant a request is of, and why', async () => {
    await go('Tenants');
    await page.getByLabel('Path').fill('/tasks');
    await page.getByRole('button', { name: /^Resolve/ }).click();
    await main().getByRole('status').getByText('acme').waitFor();
    await page.getByRole('button', { name: 'Remove header Authorization' }).click();
    await page.getByRole('button', { name: /^Resolve/ }).click();
    await main()
      .getByRole('status')
      .getByText(/No tenant|401/)
      .waitFor();
  });

  it('builds a query, sends it, and shows how it was read', async () => {
    await go('Queries');
    await page.getByRole('button', { name: 'Add filter' }).click();
    await page.getByLabel('Column').first().selectOption({ label: 'status' });
    await page.getByLabel('Value').selectOption('open');
    await page.getByLabel('Operator').selectOption({ label: 'in' });
    await page.getByLabel('Value').fill('open,in_progress');
    await page.getByRole('button', { name: 'Add order' }).click();
    await page.getByLabel('Limit').fill('2');
    expect(await page.locator('.url').textContent()).toContain(
      'GET /tasks?filter=status:in:open,in_progress&sort=',
    );
    await page.keyboard.press('Control+Enter');
    await main()
      .getByText(/^2 of \d+ rows, page 1 of/)
      .waitFor();
    await page.getByRole('tab', { name: 'Parsed query' }).click();
    await main().getByText('"open,in_progress"').waitFor();
    await page.getByRole('tab', { name: 'As tool arguments' }).click();
    await main().getByText('"status:in:open,in_progress"').waitFor();
    await page.getByRole('button', { name: 'Open in tasks_list' }).click();
    await page.getByRole('heading', { name: 'tasks_list' }).waitFor();
    expect(await page.getByRole('textbox', { name: 'filter 1' }).inputValue()).toBe(
      'status:in:open,in_progress',
    );
  });

  it('opens the explorer of a GraphQL endpoint with the headers of "Send as"', async () => {
    await go('GraphQL');
    const endpoints = page.getByRole('region', { name: 'Endpoints' });
    await endpoints.getByRole('link', { name: 'Open explorer of /graphql' }).click();
    const operation = page.getByRole('textbox', { name: 'Operation' });
    await operation.getByText('tasks').waitFor();
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByLabel('Response').getByText('"title"').first().waitFor();
    await page.getByRole('tab', { name: 'Headers' }).click();
    await page.getByText('"Bearer demo-token-ada"').waitFor();
  });

  it('lists the snapshots', async () => {
    await go('Snapshots');
    await page.getByRole('heading', { name: 'McpAdapter' }).waitFor();
    await main().getByText('byTenant:').waitFor();
    await main()
      .getByText(/^acme: \d+$/)
      .waitFor();
    await page.getByRole('button', { name: 'Collect again' }).click();
    await page.getByRole('heading', { name: 'PanelAdapter' }).waitFor();
  });
});
