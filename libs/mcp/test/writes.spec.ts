// Writes that are confirmed, repeated and tried, with both official clients on both platforms.
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  Body,
  ConflictException,
  Controller,
  Delete,
  Get,
  Headers,
  InternalServerErrorException,
  Logger,
  NotImplementedException,
  Param,
  Post,
  Redirect,
  type Type,
} from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { IsInt, IsString, Min } from 'class-validator';
import { MemoryWrites } from '../src/extensions/writes/memory-writes.js';
import { McpCall, type McpCallRecord, McpTool, type McpToolOptions } from '../src/index.js';
import { platforms } from '../../../test/support/platforms.js';
import { until } from '../../../test/support/until.js';
import { type RunningApp, startApp } from './support/app.js';
import { textOf } from './support/clients.js';
import { connectEra, type EraClient, eras } from './support/eras.js';
import { postModern } from './support/modern-wire.js';

/** What the routes did. */
let done: string[] = [];
/** Lets `slow` end. */
let release: () => void = () => undefined;

class Order {
  @IsString()
  item!: string;

  @IsInt()
  @Min(1)
  count!: number;
}

@Controller('orders')
class OrdersController {
  constructor(private readonly call: McpCall) {}

  @Delete(':id')
  @McpTool({ name: 'remove', description: 'Removes an order', confirm: 'Remove order {id}?' })
  remove(@Param('id') id: string) {
    done.push(`removed ${id}`);
    return { removed: id };
  }

  @Post('pay')
  @McpTool({
    name: 'pay',
    description: 'Pays',
    confirm: 'Pay {amount} with {pin}?',
    redact: ['pin'],
    inputSchema: {
      type: 'object',
      properties: { amount: { type: 'string' }, pin: { type: 'string' } },
    },
  })
  pay(@Body() { amount, pin }: { amount: string; pin: string }) {
    done.push(`paid ${amount} with ${pin}`);
  }

  @Post('purge')
  @McpTool({ name: 'purge', description: 'Removes all orders', confirm: 'person' })
  purge() {
    done.push('purged');
    return { purged: true };
  }

  @Post()
  @McpTool({ name: 'order', description: 'Orders', idempotency: true })
  order(@Body() { item, count }: Order, @Headers('idempotency-key') key?: string) {
    done.push(`ordered ${count} ${item}`);
    if (item === 'unknown') throw new ConflictException('There is no such item');
    if (item === 'broken') throw new InternalServerErrorException();
    // As if the client cannot be asked.
    if (item === 'unasked') throw new NotImplementedException();
    return { item, count, number: done.length, key: key ?? null };
  }

  @Post('moved')
  @Redirect('/orders/1', 303)
  @McpTool({ name: 'moved', description: 'Orders, and redirects', idempotency: true })
  moved() {
    done.push('moved');
  }

  @Post('slow')
  @McpTool({ name: 'slow', description: 'Orders slowly', idempotency: true, timeoutMs: 20_000 })
  async slow() {
    done.push('began');
    await new Promise<void>((resolve) => (release = resolve));
    done.push('ended');
    return { number: done.length };
  }

  @Post('late')
  @McpTool({ name: 'late', description: 'Is too late', idempotency: true, timeoutMs: 50 })
  async late() {
    done.push('late');
    await new Promise<void>((resolve) => (release = resolve));
  }

  @Post('careful')
  @McpTool({
    name: 'careful',
    description: 'Orders after two questions',
    confirm: true,
    idempotency: { ttlMs: 60_000 },
  })
  async careful(@Body() { item }: Order) {
    const answer = await this.call.elicit({
      message: `Which color of ${item}?`,
      schema: { type: 'object', properties: { color: { type: 'string' } } },
    });
    done.push(`careful ${item}`);
    return { item, color: answer.action === 'accept' ? answer.content['color'] : null };
  }

  @Post('asks')
  @McpTool({ name: 'asks', description: 'Asks', idempotency: true })
  async asks() {
    return await this.call.elicit({ message: 'Sure?', schema: { type: 'object', properties: {} } });
  }

  @Post('own')
  @McpTool({
    name: 'own',
    description: 'Recognizes repeats itself',
    idempotency: { keptBy: 'application' },
  })
  own(@Headers('idempotency-key') key?: string) {
    done.push(`own ${key}`);
    return { key: key ?? null };
  }
}

@Controller('bookings')
class BookingsController {
  @Post()
  @McpTool({
    name: 'book',
    description: 'Books',
    confirm: true,
    idempotency: true,
    dryRun: true,
    select: true,
  })
  book(@Body() { item, count }: Order) {
    return { item, count };
  }
}

const PRINCIPALS = { type: 'bearer', validate: (id: string) => ({ id }) } as const;
const accept = () => ({ action: 'accept', content: {} });

let app: RunningApp;
let clients: EraClient[];

beforeEach(() => {
  done = [];
  clients = [];
});

afterEach(async () => {
  jest.restoreAllMocks();
  release();
  for (const client of clients) await client.close();
  await app.close();
});

describe.each(platforms)('$name', ({ adapter }) => {
  beforeEach(async () => {
    app = await startApp(adapter(), {
      controllers: [OrdersController],
      mcp: { auth: PRINCIPALS, forwardHeaders: ['x-tenant', 'idempotency-key'] },
    });
  });

  describe.each(eras)('a client of %s', (era) => {
    const as = async (who: string, behaviour: Parameters<typeof connectEra>[2] = {}) => {
      const headers = { authorization: `Bearer ${who}`, ...behaviour.headers };
      const client = await connectEra(era, app.endpoint, { ...behaviour, headers });
      clients.push(client);
      return client;
    };

    it('asks the person, and runs what was accepted once', async () => {
      const questions: string[] = [];
      const { call } = await as('ada', {
        elicit({ message }) {
          questions.push(message);
          return accept();
        },
      });
      expect(textOf(await call('remove', { id: '7' }))).toBe('{"removed":"7"}');
      expect(questions).toEqual(['Remove order 7?']);
      expect(done).toEqual(['removed 7']);
      await call('remove', { id: '7' });
      expect(questions).toHaveLength(2);
      expect(done).toEqual(['removed 7', 'removed 7']);
    });

    it('shows the person what will run, in one line without hidden characters', async () => {
      const questions: string[] = [];
      const { call } = await as('ada', {
        elicit({ message }) {
          questions.push(message);
          return { action: 'decline' };
        },
      });
      await call('remove', {
        id: `7\n\nAll is well.\u202e${'\u{e0041}'.repeat(9)}${'x'.repeat(500)}`,
      });
      expect(questions[0]).toMatch(
        /^Remove order 7 All is well\. x{100,}\.\.\. \(\d+ characters\)\?$/,
      );
      await call('careful', { item: 'lamp', count: 1 });
      expect(questions[1]).toBe('Run "Careful" with {"item":"lamp","count":1}?');
    });

    it('shows the person no secrets', async () => {
      const questions: string[] = [];
      const { call } = await as('ada', {
        elicit({ message }) {
          questions.push(message);
          return accept();
        },
      });
      await call('pay', { amount: '7', pin: '1234' });
      expect(questions).toEqual(['Pay 7 with [redacted]?']);
      expect(done).toEqual(['paid 7 with 1234']);
    });

    it.each(['decline', 'cancel'])('runs nothing after the answer %s', async (action) => {
      const { call } = await as('ada', { elicit: () => ({ action }) });
      const result = await call('remove', { id: '7' });
      expect(result.isError).toBe(true);
      expect(textOf(result)).toMatch(/^Nothing was done: the (user|client)/);
      expect(done).toEqual([]);
    });

    it('asks nobody about invalid arguments', async () => {
      const elicit = jest.fn(accept);
      const { call } = await as('ada', { elicit });
      expect(textOf(await call('careful', { item: 'lamp', count: 0 }))).toMatch(
        /^Invalid arguments for "careful": \/count/,
      );
      expect(elicit).not.toHaveBeenCalled();
    });

    describe('a client that cannot ask', () => {
      const tokenOf = (result: { readonly _meta?: unknown }) =>
        (result._meta as Record<string, { token: string }>)['fledge/confirmation']?.token ?? '';

      it('gets a token, with which the call runs once', async () => {
        const { call } = await as('ada');
        const first = await call('remove', { id: '7' });
        expect(first.isError).toBe(true);
        expect(textOf(first)).toMatch(
          /^Nothing was done: "remove" requires confirmation\. To run the tool, call it again within 5 minutes/,
        );
        const confirmation = tokenOf(first);
        expect(textOf(first)).toContain(`"confirmation": "${confirmation}"`);
        expect(done).toEqual([]);
        const second = await call('remove', { id: '7', confirmation });
        expect(textOf(second)).toBe('{"removed":"7"}');
        const third = await call('remove', { id: '7', confirmation });
        expect(textOf(third)).toMatch(/^Nothing was done: the confirmation has already been used/);
        expect(done).toEqual(['removed 7']);
      });

      it('uses a token for nothing else', async () => {
        const { call } = await as('ada');
        const confirmation = tokenOf(await call('remove', { id: '7' }));
        const others: [string, EraClient['call'], string, object][] = [
          ['other arguments', call, 'remove', { id: '8' }],
          ['another tool', call, 'careful', { item: 'lamp', count: 1 }],
          ['another principal', (await as('bob')).call, 'remove', { id: '7' }],
          [
            'another tenant',
            (await as('ada', { headers: { 'x-tenant': 'other' } })).call,
            'remove',
            { id: '7' },
          ],
        ];
        for (const [what, callAs, name, args] of others) {
          const result = await callAs(name, { ...args, confirmation });
          expect([what, textOf(result)]).toEqual([
            what,
            expect.stringMatching(/^Nothing was done: the confirmation is for another call/),
          ]);
        }
        const wrongs = ['', 'x', `${confirmation}x`, `0${confirmation}`, 'é'.repeat(48), 5, {}];
        for (const wrong of [...wrongs, confirmation.replace(/^./, 'z')]) {
          const result = await call('remove', { id: '7', confirmation: wrong });
          expect(textOf(result)).toMatch(/^Nothing was done: the confirmation is for another/);
        }
        expect(done).toEqual([]);
        await call('remove', { id: '7', confirmation });
        expect(done).toEqual(['removed 7']);
      });

      it('cannot use a token after five minutes', async () => {
        const { call } = await as('ada');
        const confirmation = tokenOf(await call('remove', { id: '7' }));
        const now = Date.now();
        jest.spyOn(Date, 'now').mockReturnValue(now + 300_001);
        const late = await call('remove', { id: '7', confirmation });
        expect(textOf(late)).toMatch(/^Nothing was done: the confirmation has expired/);
        expect(done).toEqual([]);
        await call('remove', { id: '7', confirmation: tokenOf(late) });
        expect(done).toEqual(['removed 7']);
      });

      it('uses one token once, however many calls bring it at once', async () => {
        const { call } = await as('ada');
        const confirmation = tokenOf(await call('remove', { id: '7' }));
        await Promise.all(
          Array.from({ length: 50 }, () => call('remove', { id: '7', confirmation })),
        );
        expect(done).toEqual(['removed 7']);
      });

      it('cannot call what a person must confirm', async () => {
        const { call, client } = await as('ada');
        const { tools } = await client.listTools();
        expect(tools.find(({ name }) => name === 'purge')?.inputSchema.properties).toEqual({});
        for (const args of [{}, { confirmation: 'x' }]) {
          const result = await call('purge', args);
          expect(result.isError).toBe(true);
          expect(textOf(result)).toMatch(/^Nothing was done: a person has to confirm|^Invalid/);
        }
        expect(done).toEqual([]);
      });
    });

    it('runs repeated calls once, and gives them the first response', async () => {
      const { call, client } = await as('ada');
      const args = { item: 'lamp', count: 2, idempotencyKey: 'k1' };
      const first = await call('order', args);
      expect(textOf(first)).toBe('{"item":"lamp","count":2,"number":1,"key":"k1"}');
      const again = await call('order', { idempotencyKey: 'k1', count: 2, item: 'lamp' });
      expect(again).toMatchObject({ content: first.content, _meta: { 'fledge/repeated': true } });
      expect(done).toHaveLength(1);
      await call('order', { ...args, idempotencyKey: 'k2' });
      await call('order', { item: 'lamp', count: 2 });
      expect(done).toHaveLength(3);
      const { tools } = await client.listTools();
      expect(tools.find(({ name }) => name === 'order')?.inputSchema).toMatchObject({
        properties: { idempotencyKey: { type: 'string' } },
        required: ['item', 'count'],
      });
    });

    it('runs one of 100 equal calls at once', async () => {
      const { call } = await as('ada');
      const args = { item: 'lamp', count: 2, idempotencyKey: 'k1' };
      const results = await Promise.all(Array.from({ length: 100 }, () => call('order', args)));
      expect(done).toEqual(['ordered 2 lamp']);
      const texts = new Set(results.map((result) => textOf(result).slice(0, 60)));
      expect([...texts].sort()).toEqual(
        [
          'The first call of "order" with this idempotencyKey still run',
          '{"item":"lamp","count":2,"number":1,"key":"k1"}',
        ].filter((text) => texts.has(text)),
      );
    });

    it('rejects a key with other arguments, and names them', async () => {
      const { call } = await as('ada');
      await call('order', { item: 'lamp', count: 2, idempotencyKey: 'k1' });
      const other = await call('order', { item: 'lamp', count: 3, idempotencyKey: 'k1' });
      expect(textOf(other)).toBe(
        'Nothing was done: this idempotencyKey was already used for a call of "order" with ' +
          'different values of: count. Use a new key for a different call.',
      );
      expect(done).toEqual(['ordered 2 lamp']);
    });

    it('keeps the keys of principals and tenants apart', async () => {
      const args = { item: 'lamp', count: 2, idempotencyKey: 'k1' };
      for (const client of [
        await as('ada'),
        await as('bob'),
        await as('ada', { headers: { 'x-tenant': 'other' } }),
      ]) {
        expect((await client.call('order', args))._meta?.['fledge/repeated']).toBeUndefined();
      }
      expect(done).toHaveLength(3);
    });

    it('tells a repeated call that the first one runs, and to wait', async () => {
      const { call } = await as('ada');
      const first = call('slow', { idempotencyKey: 'k1' });
      await until(() => done.length === 1);
      const second = await call('slow', { idempotencyKey: 'k1' });
      expect(second).toMatchObject({
        isError: true,
        _meta: { 'fledge/error': { retryable: true, retryAfter: '5' } },
      });
      expect(textOf(second)).toContain('is still running. Wait 5 seconds');
      release();
      expect(textOf(await first)).toBe('{"number":2}');
      expect(textOf(await call('slow', { idempotencyKey: 'k1' }))).toBe('{"number":2}');
    });

    it('gives the response to a client that left and calls again', async () => {
      const { call } = await as('ada');
      const leaving = new AbortController();
      const first = call('slow', { idempotencyKey: 'k1' }, { signal: leaving.signal });
      await until(() => done.length === 1);
      leaving.abort();
      await expect(first).rejects.toThrow();
      release();
      await until(() => done.length === 2);
      const again = await call('slow', { idempotencyKey: 'k1' });
      expect(textOf(again)).toBe('{"number":2}');
      expect(done).toEqual(['began', 'ended']);
    });

    it('says that the outcome of a call that timed out is unknown', async () => {
      const { call } = await as('ada');
      expect(textOf(await call('late', { idempotencyKey: 'k1' }))).toContain('timed out');
      const again = await call('late', { idempotencyKey: 'k1' });
      expect(textOf(again)).toMatch(
        /^The outcome of the first call .* is unknown, because .* not run again/,
      );
      expect(done).toEqual(['late']);
    });

    it('keeps failures that may have had an effect, and frees the key of others', async () => {
      const { call } = await as('ada');
      for (const item of ['unknown', 'unasked', 'broken']) {
        await call('order', { item, count: 1, idempotencyKey: item });
        await call('order', { item, count: 1, idempotencyKey: item });
      }
      expect(done).toEqual([
        ...['ordered 1 unknown', 'ordered 1 unknown', 'ordered 1 unasked', 'ordered 1 unasked'],
        'ordered 1 broken',
      ]);
      done = [];
      for (const repeated of [undefined, true]) {
        const { _meta, ...moved } = await call('moved', { idempotencyKey: 'moved' });
        expect(textOf(moved)).toBe('(303 redirect to /orders/1, not followed)');
        expect(_meta?.['fledge/repeated']).toBe(repeated);
      }
      expect(done).toEqual(['moved']);
      expect(textOf(await call('order', { item: 'lamp', count: 0, idempotencyKey: 'k3' }))).toMatch(
        /^Invalid arguments/,
      );
      const fixed = await call('order', { item: 'lamp', count: 1, idempotencyKey: 'k3' });
      expect(fixed.isError).toBeFalsy();
    });

    it.each(['', 'a b', 'é', 'x'.repeat(256), 5, {}])('rejects the key %j', async (key) => {
      const { call } = await as('ada');
      const result = await call('order', { item: 'lamp', count: 1, idempotencyKey: key });
      expect(textOf(result)).toMatch(/^Invalid arguments for "order": \/idempotencyKey must be/);
      expect(done).toEqual([]);
    });

    it('asks once for a repeated call whose route asks too', async () => {
      const questions: string[] = [];
      const { call } = await as('ada', {
        elicit({ message }) {
          questions.push(message);
          return { action: 'accept', content: message.startsWith('Which') ? { color: 'red' } : {} };
        },
      });
      const args = { item: 'lamp', count: 1, idempotencyKey: 'k1' };
      for (let i = 0; i < 3; i++) {
        expect(textOf(await call('careful', args))).toBe('{"item":"lamp","color":"red"}');
      }
      expect(questions).toEqual([
        'Run "Careful" with {"item":"lamp","count":1}?',
        'Which color of lamp?',
      ]);
      expect(done).toEqual(['careful lamp']);
    });

    it('leaves repeated calls to an application that recognizes them', async () => {
      const { call } = await as('ada', { headers: { 'idempotency-key': 'other' } });
      for (let i = 0; i < 2; i++) {
        expect(textOf(await call('own', { idempotencyKey: 'k1' }))).toBe('{"key":"k1"}');
      }
      expect(done).toEqual(['own k1', 'own k1']);
    });
  });

  it.each(eras)('knows a repeated call of %s after its client connected again', async (era) => {
    await app.close();
    app = await startApp(adapter(), {
      controllers: [OrdersController],
      mcp: { forwardHeaders: ['x-request-id', 'x-tenant'] },
    });
    const args = { item: 'lamp', count: 2, idempotencyKey: 'k1' };
    const isRepeated = async (headers: Record<string, string>) => {
      const client = await connectEra(era, app.endpoint, { headers });
      clients.push(client);
      return (await client.call('order', args))._meta?.['fledge/repeated'] === true;
    };
    expect(await isRepeated({ 'x-request-id': '1' })).toBe(false);
    expect(await isRepeated({ 'x-request-id': '2' })).toBe(true);
    expect(await isRepeated({ 'x-request-id': '2', 'x-tenant': 'other' })).toBe(false);
    expect(await isRepeated({ authorization: 'Bearer ada' })).toBe(false);
    expect(done).toHaveLength(3);
  });

  it('records every argument of a call, and compares every argument of a repeated call', async () => {
    await app.close();
    const records: McpCallRecord[] = [];
    app = await startApp(adapter(), {
      controllers: [BookingsController],
      mcp: {
        audit: { onCall: (record) => void records.push(record) },
        writes: { transaction: (run) => run() },
      },
    });
    const { call, close } = await connectEra('2026-07-28', app.endpoint);
    const first = { item: 'room', count: 1, select: '["item"]' };
    const dry = await call('book', { ...first, dryRun: true });
    expect(dry.content).toMatchObject([{ text: '{"item":"room"}' }, {}]);
    await call('book', first);
    const { token } = (dry._meta as Record<string, { token: string }>)['fledge/confirmation']!;
    const confirmed = { ...first, idempotencyKey: 'k', confirmation: token };
    expect(textOf(await call('book', confirmed))).toBe('{"item":"room"}');
    expect(textOf(await call('book', confirmed))).toBe('{"item":"room"}');
    const other = await call('book', { ...confirmed, select: ['count'] });
    expect(textOf(other)).toContain('with different values of: select.');
    const select = ['item'];
    expect(records.map(({ outcome, arguments: args }) => [outcome, args])).toEqual([
      ['ok', { ...first, select, dryRun: true }],
      ['refused', { ...first, select }],
      ['ok', { ...confirmed, select }],
      ['ok', { ...confirmed, select }],
      ['refused', { ...confirmed, select: ['count'] }],
    ]);
    await close();
  });

  it('frees the key of a call whose client leaves before it answers', async () => {
    const leaving = new AbortController();
    const accept = { action: 'accept', content: {} };
    const client = await connectEra('2025-11-25', app.endpoint, {
      headers: { authorization: 'Bearer ada' },
      elicit({ message }) {
        if (!message.startsWith('Which') || leaving.signal.aborted) return accept;
        leaving.abort();
        return new Promise(() => undefined);
      },
    });
    clients.push(client);
    const { call } = client;
    const args = { item: 'lamp', count: 1, idempotencyKey: 'k1' };
    await expect(call('careful', args, { signal: leaving.signal })).rejects.toThrow();
    let again = '';
    await until(async () => {
      again = textOf(await call('careful', args));
      return !again.includes('still running');
    });
    expect(again).toBe('{"item":"lamp"}');
    expect(done).toEqual(['careful lamp']);
  });

  it('sends the questions of the route in the first response', async () => {
    const params = { name: 'asks', arguments: { idempotencyKey: 'k1' } };
    const headers = { authorization: 'Bearer ada' };
    const capabilities = { elicitation: { form: {} } };
    const { message } = await postModern(app.wire, {
      method: 'tools/call',
      params,
      capabilities,
      headers,
    });
    expect(message).toMatchObject({
      result: { inputRequests: { 'elicitation-1': { params: { message: 'Sure?' } } } },
    });
    const refused = await postModern(app.wire, { method: 'tools/call', params, headers });
    expect(refused.message.error?.code).toBe(-32021);
  });

  it('takes an answer of 2026-07-28 for one call', async () => {
    const send = (more: Record<string, unknown> = {}, tenant = 'acme') =>
      postModern(app.wire, {
        method: 'tools/call',
        params: { name: 'remove', arguments: { id: '7' }, ...more },
        capabilities: { elicitation: { form: {} } },
        headers: { authorization: 'Bearer ada', 'x-tenant': tenant },
      });
    const resultOf = async (reply: ReturnType<typeof send>) =>
      ((await reply).message as { result: { requestState?: string; content: { text: string }[] } })
        .result;
    const inputResponses = { 'fledge-confirmation': { action: 'accept', content: {} } };
    const unasked = await resultOf(send({ inputResponses }));
    expect(unasked.content[0]?.text).toMatch(/^Nothing was done: nobody was asked/);
    const { requestState } = await resultOf(send());
    expect(done).toEqual([]);
    const answered = { inputResponses, requestState };
    const { message } = await send(answered, 'globex');
    expect(message.error?.message).toBe('Invalid or expired requestState');
    expect(done).toEqual([]);
    await Promise.all([1, 2, 3].map(() => send(answered)));
    expect(done).toEqual(['removed 7']);
    const replayed = await resultOf(send(answered));
    expect(replayed.content[0]?.text).toMatch(
      /^Nothing was done: this confirmation has already been used/,
    );
    const odd = { inputResponses: { 'fledge-confirmation': { action: 'perhaps' } } };
    const again = await resultOf(send());
    const unclear = await resultOf(send({ ...odd, requestState: again.requestState }));
    expect(unclear.content[0]?.text).toMatch(/^Nothing was done: the client did not answer/);
    expect(done).toEqual(['removed 7']);
  });
});

describe('at startup', () => {
  const start = (controller: Type, writes?: object) => {
    app = { close: () => Promise.resolve() } as RunningApp;
    return startApp(new ExpressAdapter(), {
      controllers: [controller],
      ...(writes && { mcp: { writes } }),
    });
  };

  const routeOf = (options: Partial<McpToolOptions>) => {
    @Controller('things')
    class ThingsController {
      @Post(':id')
      @McpTool({ name: 'thing', description: 'A thing', ...options })
      post(@Param('id') id: string) {
        return id;
      }
    }
    return ThingsController;
  };

  it.each<[string, Partial<McpToolOptions>, string]>([
    [
      'an unknown placeholder',
      { confirm: 'Delete {title}?' },
      '@McpTool({ confirm }) on ThingsController.post contains {title}, but the tool has no such argument. The arguments are: id.',
    ],
    [
      'a dry run without a transaction',
      { dryRun: true },
      '@McpTool({ dryRun }) on ThingsController.post requires a transaction that can be rolled back',
    ],
    ['a wrong value', { confirm: 5 as never }, 'confirm'],
    [
      'a misspelt mode',
      { confirm: 'Person' },
      `is "Person", but must be true, false, 'person' or a question`,
    ],
    ['an empty question', { confirm: '' }, 'is "", but must be a question'],
    ['a misspelt option', { idempotency: { ttl: 5 } as never }, 'idempotency.ttl'],
  ])('refuses %s', async (_what, options, message) => {
    await expect(start(routeOf(options))).rejects.toThrow(message);
  });

  it('refuses an argument that the route has', async () => {
    @Controller('things')
    class ThingsController {
      @Delete(':confirmation')
      @McpTool({ name: 'thing', description: 'A thing', confirm: true })
      remove(@Param('confirmation') id: string) {
        return id;
      }
    }
    await expect(start(ThingsController)).rejects.toThrow(
      '@McpTool on ThingsController.remove adds the argument "confirmation", but the route already has',
    );
  });

  it('refuses what has no effect on a route that changes nothing', async () => {
    @Controller('reads')
    class ReadsController {
      @Get()
      @McpTool({ name: 'reads', description: 'Reads', idempotency: true })
      get() {
        return [];
      }
    }
    await expect(start(ReadsController)).rejects.toThrow(
      '@McpTool({ idempotency }) on ReadsController.get has no effect, because GET routes are read-only',
    );
  });

  it('warns in production that keys are lost when the process ends', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    const before = process.env['NODE_ENV'];
    for (const [mode, store, times] of [
      ['production', undefined, 1],
      ['production', { connect: () => Promise.resolve(new MemoryWrites(() => undefined)) }, 0],
      ['test', undefined, 0],
    ] as const) {
      warn.mockClear();
      process.env['NODE_ENV'] = mode;
      const started = await start(routeOf({ idempotency: true }), { store });
      process.env['NODE_ENV'] = before;
      await started.close();
      const warnings = warn.mock.calls.filter(([text]) => String(text).includes('redisWrites'));
      expect([mode, warnings.length]).toEqual([mode, times]);
    }
  });

  it('refuses options that do not exist', async () => {
    await expect(start(routeOf({}), { stor: 1 })).rejects.toThrow(
      'McpModule.forRoot({ writes.stor }) is not an option. Did you mean store?',
    );
    await expect(start(routeOf({}), { store: {} })).rejects.toThrow('redisWrites()');
    const closes = jest.fn(() => Promise.resolve());
    const store = { connect: () => Promise.resolve({ close: closes }) };
    await expect(start(routeOf({ idempotency: true }), { store })).rejects.toThrow(
      'McpModule.forRoot({ writes: { store } }) is a store of another kind: it has no method begin(). ' +
        'Pass a store such as redisWrites({ client }).',
    );
    expect(closes).toHaveBeenCalledTimes(1);
  });
});
