// Behind adapters of serverless platforms, such as serverless-http: requests and responses that have no socket with
// events, and no raw headers.
import { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  Body,
  Controller,
  Get,
  Headers,
  type INestApplication,
  Ip,
  Param,
  Post,
} from '@nestjs/common';
import { McpTool } from '@fledge/mcp';
import { closeAll, createApp, platforms } from '../../../test/support/platforms.js';
import { McpModule } from '../src/mcp.module.js';
import { openSessions } from './support/app.js';
import { INITIALIZE } from './support/wire.js';

@Controller('notes')
class NotesController {
  @Get(':id')
  @McpTool({ name: 'note', description: 'Reads a note' })
  note(@Param('id') id: string, @Headers('authorization') token: string, @Ip() ip: string) {
    return { id, token, ip };
  }

  @Post()
  @McpTool({ name: 'create', description: 'Creates a note', task: {} })
  create(@Body('text') text: string) {
    return { text };
  }
}

/** A request as these adapters make it. */
class EventRequest extends IncomingMessage {
  constructor(method: string, url: string, headers: Record<string, string>, body: Buffer) {
    const socket = {
      encrypted: true,
      readable: false,
      remoteAddress: '203.0.113.7',
      address: () => ({ port: 443 }),
      end: () => undefined,
      destroy: () => undefined,
    };
    super(socket as never);
    const length = String(body.length);
    Object.assign(this, { method, url, headers: { ...headers, 'content-length': length } });
    Object.assign(this, { httpVersion: '1.1', httpVersionMajor: '1', httpVersionMinor: '1' });
    this.complete = true;
    this._read = () => {
      this.push(body);
      this.push(null);
    };
  }
}

/** A response as these adapters make it. It emits no `close`. */
class EventResponse extends ServerResponse {
  readonly written: Buffer[] = [];

  constructor(method: string) {
    super({ method } as never);
    this.useChunkedEncodingByDefault = false;
    this.assignSocket({
      _writableState: {},
      writable: true,
      on: () => undefined,
      removeListener: () => undefined,
      destroy: () => undefined,
      cork: () => undefined,
      uncork: () => undefined,
      write: (data: string | Buffer, encoding?: unknown, done?: () => void) => {
        this.written.push(Buffer.from(data as string));
        const callback = typeof encoding === 'function' ? (encoding as () => void) : done;
        callback?.();
        return true;
      },
    } as never);
  }
}

/** Express replaces the prototype of a response, so this is no method. */
function messageOf({ written }: EventResponse): {
  readonly result?: { readonly content?: readonly { readonly text: string }[] };
} {
  const [, body = ''] = Buffer.concat(written).toString().split('\r\n\r\n');
  return JSON.parse(/^data: (.*)$/m.exec(body)?.[1] ?? body) as never;
}

afterEach(closeAll);

// They call the platform, so `direct` changes nothing.
const setups = platforms.flatMap((platform) =>
  [false, true].map((direct) => ({ ...platform, direct })),
);

describe.each(setups)('on $name, direct: $direct', ({ adapter, direct }) => {
  let app: INestApplication;

  const start = async () => {
    app = await createApp(
      {
        imports: [McpModule.forRoot({ name: 'notes', sessions: { max: 2 }, direct })],
        controllers: [NotesController],
      },
      adapter(),
    );
    await app.init();
    const instance = app.getHttpAdapter().getInstance() as Partial<{ ready(): Promise<void> }>;
    await instance.ready?.();
  };

  const send = async (message: object, headers: Record<string, string> = {}) => {
    type Handler = (request: object, response: object) => void;
    const instance = app.getHttpAdapter().getInstance() as Handler & { routing?: Handler };
    const handler = instance.routing ?? instance;
    const sent = {
      host: 'api.example.com',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: 'Bearer ada',
      ...headers,
    };
    const body = Buffer.from(JSON.stringify(message));
    const response = new EventResponse('POST');
    const finished = new Promise((resolve) => response.once('finish', resolve));
    handler(new EventRequest('POST', '/_mcp/messages', sent, body), response);
    await finished;
    return {
      status: response.statusCode,
      session: /^mcp-session-id: (.*)$/m.exec(Buffer.concat(response.written).toString())?.[1],
      message: messageOf(response),
    };
  };

  const call = (name: string, args: object) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: args },
  });

  it('sessions serve their requests, and the application closes at once', async () => {
    await start();
    const first = await send(INITIALIZE);
    expect(first.status).toBe(200);
    const session = {
      'mcp-session-id': first.session ?? '',
      'mcp-protocol-version': '2025-11-25',
    };
    const note = await send(call('note', { id: '7' }), session);
    expect(JSON.parse(note.message.result?.content?.[0]?.text ?? '')).toEqual({
      id: '7',
      token: 'Bearer ada',
      ip: '203.0.113.7',
    });
    const created = await send(call('create', { text: 'a' }), session);
    expect(created.message.result?.content?.[0]?.text).toBe('{"text":"a"}');
    expect((await send(INITIALIZE)).status).toBe(200);
    expect(openSessions({ app })).toBe(2);
    // Nothing is under way: neither request is waited for.
    await app.close();
  });

  it('clients of 2026-07-28 are served', async () => {
    await start();
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'spec', version: '1.0.0' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const { params, ...message } = call('note', { id: '7' });
    const answer = await send(
      { ...message, params: { ...params, _meta: meta } },
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'note' },
    );
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.message.result?.content?.[0]?.text ?? '')).toMatchObject({ id: '7' });
  });
});
