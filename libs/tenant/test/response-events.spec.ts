// What Node tells of a request and its response, it tells from the socket, which many requests share.
import { Tenancy, TenantModule } from '@fledge/tenant';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, Module, Req, Res, StreamableFile } from '@nestjs/common';
import type { EventEmitter } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { finalize, NEVER } from 'rxjs';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';
import { until } from '../../../test/support/until.js';

interface Message extends EventEmitter {
  readonly raw?: Message;
}

/** What everything saw: `finish a`. */
let seen: string[] = [];

@Controller()
class TestController {
  constructor(private readonly tenancy: Tenancy) {}

  private see(what: string): void {
    seen.push(`${what} ${this.tenancy.currentOrNull()?.tenantId ?? 'nobody'}`);
  }

  private watch(req: Message, res: Message): void {
    for (const event of ['finish', 'close']) (res.raw ?? res).on(event, () => this.see(event));
    const aborted = new AbortController();
    (req.raw ?? req).on('close', () => aborted.abort());
    aborted.signal.addEventListener('abort', () => this.see('abort'));
  }

  @Get('first')
  async first(@Req() req: Message, @Res({ passthrough: true }) res: Message) {
    this.watch(req, res);
    await until(() => seen.includes('second b'), 'the second request was answered');
    return 'first';
  }

  @Get('second')
  second(@Req() req: Message, @Res({ passthrough: true }) res: Message) {
    this.watch(req, res);
    this.see('second');
    return 'second';
  }

  @Get('silent')
  silent(@Req() req: Message, @Res({ passthrough: true }) res: Message) {
    this.watch(req, res);
    this.see('silent');
    return NEVER.pipe(finalize(() => this.see('finalize')));
  }

  @Get('generator')
  async *generator() {
    try {
      for (;;) {
        this.see('chunk');
        yield 'x'.repeat(100_000);
        await new Promise((resolve) => setImmediate(resolve));
      }
    } finally {
      this.see('end');
    }
  }

  @Get('stream')
  stream() {
    return new StreamableFile(
      new Readable({
        read: () => this.see('chunk'),
        destroy: (error, done) => {
          this.see('end');
          done(error);
        },
      }),
    );
  }

  @Get('large')
  large() {
    let left = 100;
    const read = (): Buffer | null => {
      this.see('read');
      left -= 1;
      return left < 0 ? null : Buffer.alloc(100_000, 'x');
    };
    return new StreamableFile(
      new Readable({
        read() {
          this.push(read());
        },
      }),
    );
  }
}

@Module({ imports: [TenantModule.forRoot({ strategy: 'header' })], controllers: [TestController] })
class AppModule {}

const countOf = (what: string) => seen.filter((line) => line.startsWith(what)).length;

describe.each(platforms)('the events of a response on $name', (platform) => {
  let url: string;
  beforeEach(async () => {
    seen = [];
    ({ url } = await serve(AppModule, platform));
  });
  afterEach(closeAll);

  const ask = (tenant: string, path: string) => {
    const sent = request(`${url}/${path}`, { headers: { 'x-tenant-id': tenant } });
    sent.on('error', () => undefined).end();
    return sent;
  };

  it('belong to its tenant if it waited behind another response', async () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    const lines = (tenant: string, path: string) =>
      `GET /${path} HTTP/1.1\r\nHost: localhost\r\nX-Tenant-ID: ${tenant}\r\n\r\n`;
    socket.write(lines('a', 'first') + lines('b', 'second'));
    socket.resume();
    await until(() => countOf('close') === 2 && countOf('abort') === 2, 'both are over');
    socket.destroy();
    expect([...seen].sort()).toEqual(
      ['abort', 'close', 'finish'].flatMap((what) => [`${what} a`, `${what} b`]).concat('second b'),
    );
  });

  it('belong to its tenant when the client disconnects, as do finalize and abort', async () => {
    const tenants = ['a', 'b', 'c'];
    const sent = tenants.map((tenant) => ask(tenant, 'silent'));
    await until(() => countOf('silent') === 3, 'three handlers wait');
    sent.forEach((one) => one.destroy());
    await until(() => seen.length === 12, 'all of them ended');
    expect([...seen].sort()).toEqual(
      ['abort', 'close', 'finalize', 'silent'].flatMap((what) =>
        tenants.map((tenant) => `${what} ${tenant}`),
      ),
    );
  });

  it.each(['generator', 'stream'])('end the body of a client that left: %s', async (path) => {
    const tenants = ['a', 'b', 'c'];
    const sent = tenants.map((tenant) => ask(tenant, path));
    await until(() => tenants.every((tenant) => seen.includes(`chunk ${tenant}`)), 'all are sent');
    sent.forEach((one) => one.destroy());
    await until(() => countOf('end') === 3, 'all of them ended');
    expect(seen.filter((line) => line.startsWith('end')).sort()).toEqual([
      'end a',
      'end b',
      'end c',
    ]);
  });

  it('read a stream for its tenant, however slowly the client reads', async () => {
    const tenants = ['a', 'b', 'c'];
    const answers = await Promise.all(
      tenants.map(
        (tenant) =>
          new Promise<IncomingMessage>((resolve) => ask(tenant, 'large').on('response', resolve)),
      ),
    );
    const lengths = await Promise.all(
      answers.map(async (answer) => {
        let length = 0;
        for await (const chunk of answer) {
          length += (chunk as Buffer).length;
          await new Promise((resolve) => setImmediate(resolve));
        }
        return length;
      }),
    );
    expect(lengths).toEqual(tenants.map(() => 10_000_000));
    for (const tenant of tenants) {
      expect(seen.filter((line) => line === `read ${tenant}`).length).toBeGreaterThanOrEqual(100);
    }
    expect(seen.filter((line) => line.endsWith('nobody'))).toEqual([]);
    expect(new Set(seen)).toEqual(new Set(tenants.map((tenant) => `read ${tenant}`)));
  });
});
