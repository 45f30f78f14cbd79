// Bodies of routes in other charsets, media types and content codings.
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import { McpPrompt, McpResource, McpTool } from '../src/index.js';
import { controllers, type RunningApp, startApp } from './support/app.js';
import { connectEra, type EraClient } from './support/eras.js';
import { platforms } from '../../../test/support/platforms.js';

type PlatformResponse = ServerResponse & { raw?: ServerResponse };

const LATIN1 = Buffer.from('größe;1', 'latin1');
const WHOLE = JSON.stringify({ text: 'größe' });
const LIMIT = 4_096;

const CODINGS: Record<string, (body: Buffer) => Buffer> = {
  gzip: gzipSync,
  'X-Gzip': gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
  'gzip, br': (body) => brotliCompressSync(gzipSync(body)),
  identity: (body) => body,
};

const BODIES: Record<string, readonly [headers: Record<string, string>, body: Buffer]> = {
  latin1: [{ 'content-type': 'text/csv; charset=iso-8859-1' }, LATIN1],
  utf16: [{ 'content-type': 'text/plain; charset=utf-16le' }, Buffer.from('größe', 'utf16le')],
  unknown: [{ 'content-type': 'text/plain; charset=x-none' }, Buffer.from('größe')],
  marked: [{ 'content-type': 'application/json' }, Buffer.from(`\ufeff${WHOLE}`)],
  charset: [{ 'content-type': 'application/vnd.x; charset=iso-8859-1' }, LATIN1],
  ndjson: [{ 'content-type': 'application/ndjson' }, Buffer.from('{}\n{}')],
  toml: [{ 'content-type': 'application/toml' }, Buffer.from('a = 1')],
  sql: [{ 'content-type': 'application/sql' }, Buffer.from('select 1')],
  stream: [{ 'content-type': 'application/octet-stream' }, Buffer.from('größe')],
  zeros: [{ 'content-type': 'application/octet-stream' }, Buffer.from('a\0b')],
  bytes: [{ 'content-type': 'application/x' }, LATIN1],
  controls: [{ 'content-type': 'application/x' }, Buffer.from([1, 2, 3])],
  pdf: [{ 'content-type': 'application/pdf' }, Buffer.from('%PDF-1.7')],
  raw: [{ 'content-type': 'text/plain', 'content-encoding': 'deflate' }, deflateRawSync('größe')],
  damaged: [{ 'content-type': 'text/plain', 'content-encoding': 'gzip' }, Buffer.from('größe')],
  strange: [{ 'content-type': 'text/plain', 'content-encoding': 'compress' }, LATIN1],
  bomb: [
    { 'content-type': 'text/plain', 'content-encoding': 'gzip' },
    gzipSync(Buffer.alloc(50_000_000, 'x')),
  ],
};

for (const [coding, encode] of Object.entries(CODINGS)) {
  const headers = { 'content-type': 'application/json', 'content-encoding': coding };
  BODIES[coding] = [headers, encode(Buffer.from(WHOLE))];
}

@Controller()
class BodiesController {
  @Get('bodies/:name')
  @McpTool({ name: 'read', description: 'Reads a body' })
  @McpResource({ uri: 'bodies://{+name}' })
  @McpPrompt({ name: 'ask', description: 'Asks with a body' })
  read(@Param('name') name: string, @Res() response: PlatformResponse) {
    const raw = response.raw ?? response;
    const [headers, body] = BODIES[name]!;
    raw.writeHead(200, headers).end(body);
  }

  @Get('failed')
  @McpTool({ name: 'fail', description: 'Fails in another charset' })
  @McpResource({ uri: 'failed://' })
  fail(@Res() response: PlatformResponse) {
    const raw = response.raw ?? response;
    raw.writeHead(400, { 'content-type': 'text/plain; charset=iso-8859-1' }).end(LATIN1);
  }

  @Get('long')
  @McpTool({ name: 'long', description: 'Has items of which a model selects fields', select: true })
  long() {
    return Array.from({ length: LIMIT }, (_, id) => ({ id, name: 'x' }));
  }

  @Get('empty')
  @McpTool({ name: 'empty', description: 'Writes to a response that has no body' })
  empty(@Query('status') status: number, @Res() response: PlatformResponse) {
    const raw = response.raw ?? response;
    raw.writeHead(Number(status), { 'content-type': 'text/plain' });
    raw.write('written', () => raw.end('ended'));
  }
}

describe.each(platforms)('bodies on $name', ({ adapter }) => {
  let running: RunningApp;
  let client: EraClient;
  beforeAll(async () => {
    running = await startApp(adapter(), {
      ...controllers(BodiesController),
      mcp: { limits: { responseBytes: LIMIT } },
    });
    client = await connectEra('2025-11-25', running.endpoint);
  });
  afterAll(async () => {
    await client.close();
    await running.close();
  });

  const textOf = async (name: string) => {
    const { content } = await client.call('read', { name });
    return (content as { text: string }[])[0]?.text;
  };
  const contentOf = async (name: string) => {
    const { contents } = await client.client.readResource({ uri: `bodies://${name}` });
    return contents[0] as { text?: string; blob?: string };
  };

  it.each([
    ['latin1', 'größe;1'],
    ['utf16', 'größe'],
    ['unknown', 'größe'],
    ['marked', WHOLE],
    ['charset', 'größe;1'],
    ['ndjson', '{}\n{}'],
    ['toml', 'a = 1'],
    ['sql', 'select 1'],
    ['stream', 'größe'],
    ['raw', 'größe'],
    ...Object.keys(CODINGS).map((coding) => [coding, WHOLE]),
  ])('are text: %s', async (name, text) => {
    expect(await textOf(name)).toBe(text);
    expect(await contentOf(name)).toMatchObject({ text });
    // An object without messages is no prompt.
    if (text === WHOLE) return;
    const { messages } = await client.client.getPrompt({ name: 'ask', arguments: { name } });
    expect(messages[0]?.content).toMatchObject({ text });
  });

  it.each([
    ['zeros', '(binary response left out: application/octet-stream, 3 bytes)'],
    ['bytes', '(binary response left out: application/x, 7 bytes)'],
    ['controls', '(binary response left out: application/x, 3 bytes)'],
    ['pdf', '(binary response left out: application/pdf, 8 bytes)'],
  ])('are bytes: %s', async (name, text) => {
    expect(await textOf(name)).toBe(text);
    expect(await contentOf(name)).toMatchObject({ blob: BODIES[name]![1].toString('base64') });
  });

  it.each([
    ['damaged', 'gzip'],
    ['strange', 'compress'],
  ])('are left out where they cannot be decoded: %s', async (name, coding) => {
    const { length } = BODIES[name]![1];
    const sentence = `(response left out: its content-encoding ${coding} could not be decoded, ${length} bytes)`;
    expect(await textOf(name)).toBe(sentence);
    await expect(contentOf(name)).rejects.toThrow(sentence);
  });

  it('say that no fields were selected, if they were cut', async () => {
    const { content } = await client.call('long', { select: ['id'] });
    expect((content as { text: string }[])[0]?.text).toMatch(
      /^\(no fields were selected, because the response is too long and was cut\)\n\[\{"id":0,"name":"x"\}/,
    );
  });

  it('are decoded up to the limit', async () => {
    const text = await textOf('bomb');
    expect(text).toBe(
      `${'x'.repeat(LIMIT)}\n(cut to the first ${LIMIT} of more than ${LIMIT} bytes)`,
    );
    await expect(contentOf('bomb')).rejects.toThrow('more than limits.responseBytes allows');
  });

  it('of errors are decoded too', async () => {
    expect(await client.call('fail')).toMatchObject({ content: [{ text: 'größe;1' }] });
    await expect(client.client.readResource({ uri: 'failed://' })).rejects.toThrow('400 größe;1');
  });

  it.each([
    [204, '(204 No Content)', false],
    [304, '(304 redirect, not followed)', true],
  ])('of a %d are dropped, as by Node.js', async (status, text, isError) => {
    const { content, ...result } = await client.call('empty', { status });
    expect([content, result.isError]).toEqual([[{ type: 'text', text }], isError]);
  });
});
