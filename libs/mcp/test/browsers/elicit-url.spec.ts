// A tool that needs what must not pass through the client: the user opens a page of the application in a real browser.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Body, Controller, Get, Header, Injectable, Param, Post } from '@nestjs/common';
import type { Browser } from 'playwright-core';
import { McpCall, McpTool } from '../../src/index.js';
import { launch } from '../../../../test/browsers/support/browser.js';
import { platforms } from '../../../../test/support/platforms.js';
import { type RunningApp, startApp } from '../support/app.js';
import { textOf } from '../support/clients.js';
import { connectEra, type EraClient, eras } from '../support/eras.js';

/** Payments, by id: settled when the user has paid. */
@Injectable()
class Payments {
  private readonly cards = new Map<string, string>();
  private readonly waiting = new Map<string, () => void>();

  paid(id: string, card: string): void {
    this.cards.set(id, card);
    this.waiting.get(id)?.();
  }

  async cardOf(id: string): Promise<string> {
    if (!this.cards.has(id)) {
      await new Promise<void>((resolve) => void this.waiting.set(id, resolve));
    }
    return this.cards.get(id) ?? '';
  }
}

@Controller('payments')
class PaymentsController {
  constructor(
    private readonly payments: Payments,
    private readonly call: McpCall,
  ) {}

  @Post(':id')
  @McpTool({ name: 'pay', description: 'Pays an order' })
  async pay(@Param('id') id: string) {
    const url = `${process.env['SPEC_ORIGIN']}/payments/${id}/page`;
    const answer = await this.call.elicitUrl({ message: 'Enter your card', url, key: 'card' });
    if (answer.action !== 'accept') return { paid: false, because: answer.action };
    const card = await this.payments.cardOf(id);
    answer.complete();
    return { paid: true, last: card.slice(-4) };
  }

  @Post(':id/wrong')
  @McpTool({ name: 'wrong', description: 'Asks with a wrong URL' })
  async wrong(@Param('id') id: string) {
    return this.call.elicitUrl({ message: 'Open', url: `javascript:alert(${id})` });
  }

  @Get(':id/page')
  @Header('content-type', 'text/html')
  page(@Param('id') id: string) {
    return `<form method="post" action="/payments/${id}/card"><input name="card"><button>Pay</button></form>`;
  }

  @Post(':id/card')
  @Header('content-type', 'text/html')
  card(@Param('id') id: string, @Body() { card }: { card: string }) {
    this.payments.paid(id, card);
    return '<p>Thank you</p>';
  }
}

let browser: Browser;
let app: RunningApp;
let client: EraClient;

beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());
afterEach(async () => {
  await client.close();
  await app.close();
});

describe.each(platforms)('a page for the user on $name', ({ adapter }) => {
  const start = async () => {
    app = await startApp(adapter(), { controllers: [PaymentsController], providers: [Payments] });
    process.env['SPEC_ORIGIN'] = app.url;
    return app.endpoint;
  };

  it.each(eras)('is opened, and a client of %s never sees what is entered', async (era) => {
    const endpoint = await start();
    const seen: string[] = [];
    const completed: string[] = [];
    const asked: { url?: string; elicitationId?: string }[] = [];
    client = await connectEra(era, endpoint, {
      modes: ['url'],
      completed: (id) => void completed.push(id),
      async elicit(params) {
        asked.push(params);
        const page = await browser.newPage();
        await page.goto(params.url!);
        await page.fill('input', '4111111111111111');
        await page.click('button');
        seen.push(await page.innerText('p'));
        await page.close();
        return { action: 'accept' };
      },
    });
    expect(textOf(await client.call('pay', { id: 'o1' }))).toBe('{"paid":true,"last":"1111"}');
    expect(seen).toEqual(['Thank you']);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ mode: 'url', message: 'Enter your card' });
    const ids = era === '2025-11-25' ? [asked[0]?.elicitationId] : [];
    expect(completed).toEqual(ids);
    expect(asked[0]?.elicitationId === undefined).toBe(era === '2026-07-28');
  });

  it.each(eras)('is not opened against the will of the user, client of %s', async (era) => {
    const endpoint = await start();
    client = await connectEra(era, endpoint, {
      modes: ['form', 'url'],
      elicit: () => ({ action: 'decline' }),
    });
    expect(textOf(await client.call('pay', { id: 'o1' }))).toBe(
      '{"paid":false,"because":"decline"}',
    );
    expect(textOf(await client.call('wrong', { id: '1' }))).toContain('Internal server error');
  });

  it.each(eras)('is not asked for by a client of %s that has forms only', async (era) => {
    const endpoint = await start();
    client = await connectEra(era, endpoint, { elicit: () => ({ action: 'accept' }) });
    const call = client.call('pay', { id: 'o1' });
    if (era === '2025-11-25') {
      expect(textOf(await call)).toContain(
        'This call requires a client that supports elicitation.url.',
      );
    } else {
      await expect(call).rejects.toMatchObject({
        code: -32021,
        data: { requiredCapabilities: { elicitation: { url: {} } } },
      });
    }
  });
});
