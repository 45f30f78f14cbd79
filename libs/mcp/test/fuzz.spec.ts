// Whatever bytes arrive, every whole answer is one we chose, nothing hangs, and the next caller is
// served. An unhandled rejection or an uncaught exception fails a test of Jest by itself; `process` here
// is Jest's copy, whose events never fire.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import fc from 'fast-check';
import { connect as dial } from 'node:net';
import { type McpCall, McpCallInfo, McpPrompt, McpResource, McpTool } from '../src/index.js';
import { controllers, openSessions, type RunningApp, startApp } from './support/app.js';
import { LONGEST_WAIT_MS } from '../../../test/support/longest-wait.js';
import { platforms } from '../../../test/support/platforms.js';
import { until } from '../../../test/support/until.js';
import { INITIALIZE } from './support/wire.js';

const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_120);
/** Batches of requests. A number and no time: a busy machine does as much, only later. */
const BATCHES = 60;

@Controller('things')
class ThingsController {
  @Get('slow')
  @McpTool({ name: 'slow', description: 'Never answers', timeoutMs: 150 })
  slow() {
    return new Promise(() => undefined);
  }

  @Get('ask')
  @McpTool({ name: 'ask', description: 'Talks and asks' })
  @McpPrompt({ name: 'ask', description: 'Talks and asks' })
  async ask(@McpCallInfo() call: McpCall | undefined) {
    call?.progress(1, 2);
    call?.log('error', { any: 'thing' });
    const answer = await call?.elicit({ message: 'Well?', schema: { type: 'object' } });
    return [{ role: 'user', content: answer?.action ?? 'nobody' }];
  }

  @Get('values')
  values(@Query('value') value: string) {
    return [value];
  }

  @Get(':id')
  @McpTool({ name: 'get', description: 'Reads a thing' })
  @McpResource({ uri: 'things://{id}', complete: { id: 'values' } })
  @McpPrompt({ name: 'get', description: 'Reads a thing', complete: { id: 'values' } })
  get(@Param('id') id: string) {
    return { id };
  }

  @Post('echo')
  @McpTool({
    name: 'echo',
    description: 'Gives back its body',
    inputSchema: { type: 'object', additionalProperties: true },
  })
  echo(@Body() body: object) {
    return body;
  }

  @Post('text')
  @McpTool({
    name: 'text',
    description: 'Gives back a text, which may be JSON',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
    outputSchema: { type: 'object' },
  })
  text(@Body() { text }: { text?: string }) {
    return text;
  }
}

// What is sent.

/** Stands for the id of the batch's session; as long as one. */
const SESSION = '00000000-0000-4000-8000-000000000000';

interface Exchange {
  /** Bytes as latin1, each part a write of its own. */
  readonly parts: readonly string[];
  /** `wait` for the answers, `leave` at once, or end the sending side and wait. */
  readonly then: 'wait' | 'leave' | 'end';
  /** How many answers are owed before the connection closes. */
  readonly answers: number;
  /** Whether an event stream that stays open is a right answer. */
  readonly mayStream: boolean;
}

type Headers = readonly (readonly [name: string, value: string])[];

const JSON_HEADERS: Headers = [
  ['host', '127.0.0.1'],
  ['content-type', 'application/json'],
  ['accept', 'application/json, text/event-stream'],
];

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'fuzz', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

function modern(method: string, name?: string): Headers {
  return [
    ['mcp-protocol-version', '2026-07-28'],
    ['mcp-method', method],
    ...(name === undefined ? [] : [['mcp-name', name] as const]),
  ];
}

/** A header put beside those of its name, in their place, or nowhere. */
type Alteration = readonly [how: 'beside' | 'instead' | 'drop', name: string, value: string];

function altered(headers: Headers, alterations: readonly Alteration[]): Headers {
  return alterations.reduce<Headers>((all, [how, name, value]) => {
    const others = all.filter(([other]) => other.toLowerCase() !== name.toLowerCase());
    if (how === 'drop') return others;
    return [...(how === 'instead' ? others : all), [name, value]];
  }, headers);
}

function requestOf(
  headers: Headers,
  body: string,
  method = 'POST',
  target = '/_mcp/messages',
  alterations: readonly Alteration[] = [],
): string {
  const lines = altered([...JSON_HEADERS, ...headers], alterations).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  // Bytes travel as latin1 from here on.
  const bytes = Buffer.from(body).toString('latin1');
  return `${method} ${target} HTTP/1.1\r\n${lines.join('')}content-length: ${bytes.length}\r\n\r\n${bytes}`;
}

function waitFor(request: string, answers = 1): Exchange {
  const mayStream = /GET \/_mcp/.test(request) || request.includes('subscriptions/listen');
  return { parts: [request], then: 'wait', answers, mayStream };
}

const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const deepObject = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

// What comes back.

interface Reply {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  readonly whole: boolean;
}

interface Seen {
  readonly replies: readonly Reply[];
  readonly end: 'answered' | 'streaming' | 'closed' | 'left' | 'hung';
}

/** Sends bytes on a connection of their own and reads what they are answered with. */
function send(url: string, exchange: Exchange, session = SESSION): Promise<Seen> {
  const { parts, then, answers, mayStream } = exchange;
  const isHead = parts[0]?.startsWith('HEAD ') ?? false;
  return new Promise((resolve) => {
    const socket = dial(Number(new URL(url).port), '127.0.0.1');
    const chunks: Buffer[] = [];
    const finish = (end: Seen['end']) => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ replies: repliesIn(Buffer.concat(chunks), isHead, end === 'closed'), end });
    };
    const timer = setTimeout(() => finish('hung'), LONGEST_WAIT_MS);
    socket.on('error', () => undefined);
    socket.on('close', () => finish('closed'));
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      const replies = repliesIn(Buffer.concat(chunks), isHead, false);
      const last = replies.at(-1);
      if (replies.filter(({ whole }) => whole).length >= answers) finish('answered');
      else if (
        mayStream &&
        last?.headers.get('content-type') === 'text/event-stream; charset=utf-8'
      ) {
        finish('streaming');
      }
    });
    const next = (index: number): void => {
      const part = parts[index];
      if (part !== undefined) {
        socket.write(Buffer.from(part.replaceAll(SESSION, session), 'latin1'));
        if (index + 1 < parts.length) setTimeout(() => next(index + 1), 2);
        else next(index + 1);
      } else if (then === 'end') socket.end();
      else if (then === 'leave') setTimeout(() => finish('left'), 5);
    };
    next(0);
  });
}

function repliesIn(bytes: Buffer, isHead: boolean, closed: boolean): Reply[] {
  const replies: Reply[] = [];
  let rest = bytes;
  while (rest.length > 0) {
    const headEnd = rest.indexOf('\r\n\r\n');
    if (headEnd < 0) break;
    const [statusLine = '', ...lines] = rest.subarray(0, headEnd).toString('latin1').split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
    const headers = new Map(
      lines.map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    const after = rest.subarray(headEnd + 4);
    const { body, end, whole } = bodyIn(after, headers, isHead || status < 200, closed);
    rest = after.subarray(end);
    if (status >= 200 || Number.isNaN(status)) replies.push({ status, headers, body, whole });
    if (!whole) break;
  }
  return replies;
}

function bodyIn(
  bytes: Buffer,
  headers: ReadonlyMap<string, string>,
  isEmpty: boolean,
  closed: boolean,
): { readonly body: string; readonly end: number; readonly whole: boolean } {
  if (isEmpty) return { body: '', end: 0, whole: true };
  const length = headers.get('content-length');
  if (length !== undefined) {
    const end = Math.min(Number(length), bytes.length);
    return { body: bytes.toString('utf8', 0, end), end, whole: bytes.length >= Number(length) };
  }
  if (headers.get('transfer-encoding') !== 'chunked') {
    return { body: bytes.toString(), end: bytes.length, whole: closed };
  }
  const chunks: Buffer[] = [];
  for (let at = 0; ;) {
    const line = bytes.indexOf('\r\n', at);
    const size = line < 0 ? NaN : parseInt(bytes.toString('latin1', at, line), 16);
    const start = line + 2;
    if (Number.isNaN(size) || start + size + 2 > bytes.length) {
      return { body: Buffer.concat(chunks).toString(), end: bytes.length, whole: false };
    }
    chunks.push(bytes.subarray(start, start + size));
    at = start + size + 2;
    if (size === 0) return { body: Buffer.concat(chunks).toString(), end: at, whole: true };
  }
}

// What is right.

/** Every status the endpoint gives, and Node's own for broken HTTP: 400, 408, 417, 431. */
const STATUSES = [200, 202, 400, 403, 404, 405, 406, 408, 409, 413, 415, 417, 431];
const LEAKS = /(\n|\\n)\s+at |node_modules|file:\/\/|node:internal|\/(libs|src|dist)\/|\.[jt]s:\d/;
/** Fastify's words for what Node's parser refuses. */
const FASTIFY_BROKEN = [
  '{"error":"Bad Request","message":"Client Error","statusCode":400}',
  '{"error":"Request Header Fields Too Large","message":"Exceeded maximum allowed HTTP header size","statusCode":431}',
];

/** What is wrong with an answer; undefined where nothing is. */
function faultOf({ status, headers, body, whole }: Reply): string | undefined {
  if (!STATUSES.includes(status)) return `status ${status}: ${body.slice(0, 300)}`;
  if (LEAKS.test(body) || body.includes(process.cwd())) return `a leak: ${body.slice(0, 1_000)}`;
  const type = headers.get('content-type');
  if (type === 'text/event-stream; charset=utf-8') {
    const events = body.split('\n\n');
    const rest = events.pop();
    if (whole && rest !== '') return `half an event: ${rest}`;
    return events
      .filter((event) => event !== ': keepalive')
      .map((event) =>
        event.startsWith('event: message\ndata: ')
          ? messageFault(event.slice(21))
          : `no event: ${event.slice(0, 300)}`,
      )
      .find((fault) => fault !== undefined);
  }
  if (!whole || body === '') return type === undefined || !whole ? undefined : headFault(headers);
  return FASTIFY_BROKEN.includes(body) ? undefined : messageFault(body);
}

/** A typed answer without a body is one to HEAD. */
function headFault(headers: ReadonlyMap<string, string>): string | undefined {
  return headers.get('content-length') === '0' ? 'an empty body of a type' : undefined;
}

function messageFault(json: string): string | undefined {
  let message: Record<string, unknown> | null;
  try {
    message = JSON.parse(json) as typeof message;
  } catch {
    return `no JSON: ${json.slice(0, 300)}`;
  }
  const { jsonrpc, id, method, result, error } = message ?? {};
  const { code, message: text } = (error ?? {}) as { code?: unknown; message?: unknown };
  const answers =
    (typeof id === 'string' || typeof id === 'number' || id === null) &&
    (error === undefined
      ? typeof result === 'object' && result !== null
      : result === undefined && Number.isInteger(code) && typeof text === 'string');
  return jsonrpc === '2.0' && (answers || typeof method === 'string')
    ? undefined
    : `no JSON-RPC: ${json.slice(0, 300)}`;
}

// What may be generated: JSON as text, since no object holds `1e400` or a key twice.

const hostileJson = fc.oneof(
  fc.constantFrom(
    ...['null', 'true', '0', '-0', '1.5', '1e300', '1e400', '-1e400', '9007199254740993', '""'],
    ...['"__proto__"', '"\\u0000"', '"\\ud800"', '[]', '{}', '[{}]', '{"__proto__":{"x":1}}'],
    ...['{"constructor":{"prototype":{"x":1}}}', '{"toString":null,"hasOwnProperty":7}'],
  ),
  fc.json({ maxDepth: 3 }),
  fc.constantFrom(deep(8_000), deepObject(8_000)),
  fc.string({ maxLength: 20 }).map((text) => JSON.stringify(text)),
);

function objectOf(pairs: fc.Arbitrary<[string, string]>[]): fc.Arbitrary<string> {
  return fc
    .tuple(...pairs.map((pair) => fc.option(pair, { freq: 12, nil: undefined })))
    .map((found) => found.filter((pair) => pair !== undefined))
    .map((found) => `{${found.map(([key, json]) => `${JSON.stringify(key)}:${json}`).join(',')}}`);
}

/** A member that is mostly as it should be. */
function member(name: string, ...usual: string[]): fc.Arbitrary<[string, string]> {
  return fc.oneof(
    { weight: 9, arbitrary: fc.tuple(fc.constant(name), fc.constantFrom(...usual)) },
    { weight: 2, arbitrary: fc.tuple(fc.constant(name), hostileJson) },
  );
}

function seldom(
  pair: fc.Arbitrary<[string, string]>,
  usual: [string, string],
): fc.Arbitrary<[string, string]> {
  return fc.oneof({ weight: 9, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: pair });
}

const METHODS = [
  ...['tools/call', 'tools/call', 'tools/call', 'tools/list', 'ping', 'initialize'],
  ...['server/discover', 'subscriptions/listen', 'resources/list', 'prompts/get', 'tasks/cancel'],
  ...['resources/read', 'resources/subscribe', 'resources/templates/list', 'prompts/list'],
  ...['completion/complete'],
  ...['notifications/initialized', 'notifications/cancelled', 'notifications/progress'],
  ...['sampling/createMessage', 'logging/setLevel', '__proto__', 'constructor', '', 'no/such'],
];
const NAMES = ['get', 'echo', 'slow', 'text', 'ask', '__proto__', 'nope'];

const meta = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(JSON.stringify(META), '{}', '{"progressToken":1}') },
  {
    weight: 3,
    arbitrary: objectOf([
      member('io.modelcontextprotocol/protocolVersion', '"2026-07-28"', '"2030-01-01"'),
      member('io.modelcontextprotocol/clientInfo', '{"name":"a","version":"1"}'),
      member('io.modelcontextprotocol/clientCapabilities', '{}', '{"experimental":{"a":{}}}'),
      member('progressToken', '1', '"t"'),
    ]),
  },
  { weight: 1, arbitrary: hostileJson },
);

const params = fc.oneof(
  {
    weight: 8,
    arbitrary: objectOf([
      member('name', ...NAMES.map((name) => JSON.stringify(name))),
      member('arguments', '{"id":"a"}', '{"id":"a"}', '{}', '{"text":"[[1]]"}'),
      meta.map((json): [string, string] => ['_meta', json]),
      member('requestId', '1', '"x"', '99'),
      member('uri', '"things://a"', '"things://%zz"', '"things://a/b"', '"nope://a"'),
      member(
        'ref',
        '{"type":"ref/prompt","name":"get"}',
        '{"type":"ref/resource","uri":"things://{id}"}',
      ),
      member('argument', '{"name":"id","value":"a"}'),
      member('level', '"error"', '"loud"'),
      member('inputResponses', '{"elicitation-1":{"action":"accept","content":{}}}', '{}'),
      member('requestState', '"v1.e30.AAAA"', '""'),
      seldom(fc.tuple(fc.constantFrom('task', 'cursor', '__proto__'), hostileJson), [
        'reason',
        '""',
      ]),
      member('protocolVersion', '"2025-11-25"', '"2026-07-28"'),
      member('capabilities', '{}'),
      member('clientInfo', '{"name":"a","version":"1"}'),
    ]),
  },
  { weight: 1, arbitrary: hostileJson },
);

const requests = fc
  .constantFrom(...METHODS)
  .chain((method) =>
    objectOf([
      member('jsonrpc', '"2.0"'),
      member('id', '1', '2', '3', '"x"'),
      member('method', JSON.stringify(method)),
      params.map((json): [string, string] => ['params', json]),
    ]),
  );
const answersUnasked = objectOf([
  member('jsonrpc', '"2.0"'),
  member('id', '1', '99'),
  fc.tuple(fc.constantFrom('result', 'error', 'method', 'x'), hostileJson),
]);
const brokenJson = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom('', '{', '[', '{}{}', '\ufeff{}', 'NaN', "{'a':1}", '{"a":1,}', '\u0000'),
  fc.tuple(requests, fc.nat(200)).map(([text, at]) => text.slice(0, at)),
  fc
    .tuple(requests, fc.nat(200), fc.string({ maxLength: 4 }))
    .map(([text, at, noise]) => text.slice(0, at) + noise + text.slice(at)),
);
const bodies = fc.oneof(
  { weight: 8, arbitrary: requests },
  { weight: 2, arbitrary: answersUnasked },
  { weight: 1, arbitrary: hostileJson },
  { weight: 1, arbitrary: fc.array(requests, { maxLength: 3 }).map((all) => `[${all.join(',')}]`) },
  { weight: 3, arbitrary: brokenJson },
);

/** Values that a header line can carry, latin1 included. */
const headerText = fc.oneof(
  fc.constantFrom('', ' ', ',', ';', '*/*', '__proto__', '\xff\x80', '=?base64?Z2V0?=', SESSION),
  fc.constantFrom('2025-11-25', '2026-07-28', '2026-07-28, 2026-07-28', '2030-01-01', '0'),
  fc.constantFrom('application/json', 'text/event-stream', 'application/json; charset=x', '{}'),
  fc.string({ unit: fc.constantFrom(...'aZ09-_./,;="\t \xe9'), maxLength: 30 }),
  fc.nat(10_000).map((length) => 'a'.repeat(length)),
);
const alterations: fc.Arbitrary<Alteration[]> = fc.array(
  fc.tuple(
    fc.constantFrom('beside', 'instead', 'instead', 'drop'),
    fc.constantFrom(
      ...['mcp-session-id', 'mcp-protocol-version', 'mcp-method', 'mcp-name', 'accept'],
      ...['Accept', 'content-type', 'last-event-id', 'origin', 'authorization', 'cookie'],
      ...['content-encoding', 'expect', 'x-forwarded-for', 'traceparent', '__proto__'],
    ),
    headerText,
  ),
  { maxLength: 3 },
);
const eraHeaders: fc.Arbitrary<Headers> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Headers>([['mcp-session-id', SESSION]]) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom(...METHODS), fc.option(fc.constantFrom(...NAMES), { nil: undefined }))
      .map(([method, name]) => modern(method, name)),
  },
  { weight: 1, arbitrary: fc.constant<Headers>([]) },
);
/** A good call of the new revision: what hostile arguments hide in. */
const modernCalls = fc
  .tuple(fc.constantFrom(...NAMES), hostileJson)
  .map(([name, args]) =>
    requestOf(
      modern('tools/call', name),
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${args},"_meta":${JSON.stringify(META)}}}`,
    ),
  );
const wholeRequests = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(eraHeaders, fc.oneof(fc.constant([]), alterations), bodies)
      .map(([era, odd, body]) => requestOf(era, body, 'POST', '/_mcp/messages', odd)),
  },
  { weight: 3, arbitrary: modernCalls },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.constantFrom('GET', 'GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS'),
        eraHeaders,
        alterations,
        fc.constantFrom('', '{}'),
      )
      .map(([method, era, odd, body]) => requestOf(era, body, method, '/_mcp/messages', odd)),
  },
);

const HEAD = `POST /_mcp/messages HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\nmcp-session-id: ${SESSION}\r\n`;
/** Broken HTTP, which Node's parser refuses or waits for the rest of. */
const brokenHttp = fc
  .tuple(
    requests,
    fc.constantFrom(
      ...['content-length: abc', 'content-length: -1', 'content-length: 1\r\ncontent-length: 2'],
      ...['content-length: 5\r\ntransfer-encoding: chunked', 'transfer-encoding: banana'],
      ...[
        'content-length: 1',
        'content-length: 99999999999999999999',
        'x y: z',
        'content-length : 1',
      ],
      ...['transfer-encoding: chunked', `x: ${'a'.repeat(20_000)}`],
    ),
    fc.constantFrom('', 'zz\r\n', '-1\r\n', 'ffffffffffffffffff\r\n', '5\r\nab', '3\r\nabcdef\r\n'),
  )
  .map(([body, line, chunk]) => `${HEAD}${line}\r\n\r\n${chunk}${body}`);
const chunked = fc.tuple(requests, fc.integer({ min: 1, max: 200 })).map(([body, size]) => {
  const bytes = Buffer.from(body)
    .toString('latin1')
    .slice(0, size * 50);
  const chunks = bytes.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
  const lines = chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`);
  return `${HEAD}transfer-encoding: chunked\r\n\r\n${lines.join('')}0\r\n\r\n`;
});

const exchanges: fc.Arbitrary<Exchange> = fc.oneof(
  { weight: 8, arbitrary: wholeRequests.map((request) => waitFor(request)) },
  { weight: 1, arbitrary: chunked.map((request) => waitFor(request)) },
  {
    weight: 2,
    arbitrary: fc
      .array(wholeRequests, { minLength: 2, maxLength: 4 })
      .map((all) => waitFor(all.join(''), all.length)),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.oneof(wholeRequests, chunked), fc.array(fc.nat(1_000), { maxLength: 3 }))
      .map(([request, cuts]) => ({ ...waitFor(request), parts: partsOf(request, cuts) })),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.oneof(wholeRequests, chunked, brokenHttp),
        fc.nat(1_000),
        fc.constantFrom('leave', 'end'),
      )
      .map(([request, at, then]) => ({ ...waitFor(request), parts: [request.slice(0, at)], then })),
  },
  { weight: 2, arbitrary: brokenHttp.map((text) => ({ ...waitFor(text), then: 'end' as const })) },
  {
    weight: 2,
    arbitrary: wholeRequests.map((text) => ({ ...waitFor(text), then: 'leave' as const })),
  },
);

function partsOf(text: string, cuts: readonly number[]): string[] {
  const at = [0, ...[...cuts].sort((a, b) => a - b), text.length];
  return at.slice(1).map((end, i) => text.slice(at[i], end));
}

describe.each(platforms)('the MCP endpoint under hostile input on $name', ({ adapter }) => {
  let running: RunningApp;
  /** A session no hostile message names. */
  let ours: string;

  beforeAll(async () => {
    running = await startApp(adapter(), {
      ...controllers(ThingsController),
      mcp: { sessions: { max: 1_000_000 } },
    });
    ours = await running.wire.initialize();
  });
  afterAll(async () => {
    await running.close();
  });

  async function servesBothEras(): Promise<void> {
    const params = { name: 'get', arguments: { id: 'good' } };
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const old = await running.wire.post(call, { 'mcp-session-id': ours });
    expect([old.status, old.message.result]).toEqual([
      200,
      { content: [{ type: 'text', text: '{"id":"good"}' }], isError: false },
    ]);
    const now = await running.wire.post(
      { ...call, params: { ...params, _meta: META } },
      Object.fromEntries(modern('tools/call', 'get')),
    );
    expect([now.status, now.message.result]).toEqual([
      200,
      {
        content: [{ type: 'text', text: '{"id":"good"}' }],
        isError: false,
        resultType: 'complete',
        _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'spec', version: '0.0.0' } },
      },
    ]);
  }

  /** The one answer to a message, checked. */
  async function answerTo(headers: Headers, body: string, target?: string): Promise<Reply> {
    const request = requestOf(headers, body, 'POST', target);
    const { replies, end } = await send(running.url, waitFor(request), ours);
    const reply = replies[0];
    if (reply === undefined) throw new Error(`No answer: ${end}`);
    expect(faultOf(reply)).toBeUndefined();
    return reply;
  }

  const session: Headers = [['mcp-session-id', SESSION]];
  const huge = 'a'.repeat(3_000_000);
  const arrays = deep(100_000);
  const objects = deepObject(100_000);
  const envelope = JSON.stringify(META).slice(1, -1);
  const call = (args: string, more = '') =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":${args}${more}}}`;
  const said = (members: string) => `{"jsonrpc":"2.0",${members}}`;
  const echo = modern('tools/call', 'echo');
  const modernCall = (args: string, odd = '') => call(args, `,"_meta":{${envelope}${odd}}`);

  it.each<[string, Headers, string, number, number | undefined]>([
    ['deep arguments', session, call(`{"a":${arrays}}`), 400, -32700],
    ['deep objects', session, call(objects), 400, -32700],
    ['deep _meta', session, call('{}', `,"_meta":{"a":${arrays}}`), 400, -32700],
    ['a deep task', session, call('{}', `,"task":{"a":${arrays}}`), 400, -32700],
    ['a deep batch', session, arrays, 400, -32700],
    ['a deep object', session, objects, 400, -32700],
    ['deep params', session, said(`"id":1,"method":"ping","params":${objects}`), 400, -32700],
    ['a deep notification', session, said(`"method":"a","params":{"a":${arrays}}`), 400, -32700],
    ['a deep response', session, said(`"id":1,"result":{"a":${arrays}}`), 400, -32700],
    ['deep arguments, stateless', echo, modernCall(`{"a":${arrays}}`), 400, -32700],
    ['a deep envelope', echo, modernCall('{}', `,"x/y":${arrays}`), 400, -32700],
    ['arguments as deep as may be', session, call(`{"a":${deep(250)}}`), 200, undefined],
    ['such arguments, stateless', echo, modernCall(`{"a":${deep(250)}}`), 200, undefined],
    ['a deep text', session, call(JSON.stringify({ id: arrays })), 200, undefined],
    ['a huge id', session, `{"jsonrpc":"2.0","id":"${huge}","method":"no/such"}`, 200, -32601],
    ['a huge method', session, `{"jsonrpc":"2.0","id":1,"method":"${huge}"}`, 200, -32601],
    ['a huge argument', session, call(`{"id":"${huge}"}`), 200, undefined],
    ['a huge key', session, call(`{"${huge}":1}`), 200, undefined],
    [
      'a huge argument, stateless',
      modern('tools/call', 'echo'),
      modernCall(`{"id":"${huge}"}`),
      200,
      undefined,
    ],
    ['too large a message', session, call(`{"id":"${huge}${huge}"}`), 413, -32000],
    [
      'a prototype',
      session,
      call('{"__proto__":{"x":1},"constructor":{"prototype":{"x":1}}}'),
      200,
      undefined,
    ],
    [
      'an array of params',
      session,
      '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}',
      400,
      -32700,
    ],
    [
      'null params',
      session,
      '{"jsonrpc":"2.0","id":1,"method":"ping","params":null}',
      200,
      undefined,
    ],
    ['an infinite id', session, '{"jsonrpc":"2.0","id":1e400,"method":"ping"}', 400, -32700],
  ])('answers %s', async (_, headers, body, status, code) => {
    const reply = await answerTo(headers, body);
    expect([reply.status, errorCodeOf(reply)]).toEqual([status, code]);
    await servesBothEras();
  });

  // The SDK's schema refuses these and its protocol server answers nothing at all.
  it.each<[string, string]>([
    ['an id past the safe integers', '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}'],
    ['a member JSON-RPC does not know', '{"jsonrpc":"2.0","id":1,"method":"ping","x":1}'],
    ['a request that is a response too', '{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}'],
    ['a member __proto__', '{"jsonrpc":"2.0","id":1,"method":"ping","__proto__":{}}'],
    ['a _meta of the wrong type', '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":7}}'],
    ['an array of _meta', call('{}', ',"_meta":[]')],
    [
      'a progress token of the wrong type',
      '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"progressToken":{}}}}',
    ],
  ])('refuses %s', async (_, body) => {
    const reply = await answerTo(session, body);
    expect([reply.status, errorCodeOf(reply)]).toEqual([400, -32700]);
  });

  it.each(['"x":1', '"result":{}', '"id":1e300'])(
    'opens no session for an initialize with %s',
    async (odd) => {
      const before = openSessions(running);
      const { replies } = await send(
        running.url,
        waitFor(requestOf([], `${JSON.stringify(INITIALIZE).slice(0, -1)},${odd}}`)),
      );
      expect([replies[0]?.status, openSessions(running)]).toEqual([400, before]);
    },
  );

  it.each<[string, Headers, string]>([
    [
      'deep capabilities',
      modern('tools/list'),
      `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{${envelope.slice(0, -1)}"experimental":{"a":{"b":${arrays}}}}}}}`,
    ],
    [
      'a deep revision',
      modern('tools/list'),
      `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":${arrays}}}}`,
    ],
    [
      'a deep text as structured content',
      modern('tools/call', 'text'),
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"text","arguments":{"text":"${deep(40_000)}"},"_meta":{${envelope}}}}`,
    ],
    [
      'a deep text as structured content of a session',
      session,
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"text","arguments":{"text":"${deep(40_000)}"}}}`,
    ],
  ])('chooses its answer to %s', async (_, headers, body) => {
    const reply = await answerTo(headers, body);
    expect(reply.body).not.toContain('Internal error');
    await servesBothEras();
  });

  it('refuses a request target that is no URL', async () => {
    const body = `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{${envelope}}}}`;
    const request = requestOf(
      modern('server/discover'),
      body,
      'POST',
      'http://a:99999/_mcp/messages',
    );
    const { replies } = await send(running.url, waitFor(request));
    expect([200, 400, 404]).toContain(replies[0]?.status);
  });

  it.each(['', ';;;', 'json'])('answers 415 in JSON-RPC to the media type %j', async (type) => {
    const request = requestOf([], '{}').replace('type: application/json', `type: ${type}`);
    const { replies } = await send(running.url, waitFor(request));
    expect(replies.map((reply) => [reply.status, errorCodeOf(reply)])).toEqual([[415, -32000]]);
  });

  it('opens another stream after one that was lost before its turn', async () => {
    const headers: Headers = [
      ['mcp-session-id', await running.wire.initialize()],
      ['accept', 'text/event-stream'],
    ];
    const slow = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow"}}';
    const lost = requestOf(headers, slow) + requestOf(headers, '', 'GET');
    await send(running.url, { ...waitFor(lost), then: 'leave' });
    // The server sees that the client left once the slow call has ended.
    await until(async () => {
      const { replies } = await send(running.url, waitFor(requestOf(headers, '', 'GET')));
      return replies[0]?.status === 200;
    });
  });

  it('holds up under whatever is generated', async () => {
    const statuses = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(fc.array(exchanges, { minLength: 8, maxLength: 12 }), async (batch) => {
        const theirs = await running.wire.initialize();
        const seen = await Promise.all(batch.map((each) => send(running.url, each, theirs)));
        for (const [i, { replies, end }] of seen.entries()) {
          for (const reply of replies) {
            statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
            const fault = faultOf(reply);
            if (fault !== undefined) throw new Error(`${fault}\nto ${brief(batch[i])}`);
          }
          if (end === 'hung') {
            throw new Error(
              `${replies.length} answers in ${LONGEST_WAIT_MS} ms, the last ${brief(replies.at(-1))}\nto ${brief(batch[i])}`,
            );
          }
        }
        await servesBothEras();
        const ended = await running.wire.send('DELETE', { 'mcp-session-id': theirs });
        expect([200, 404]).toContain(ended.status);
      }),
      { seed: SEED, numRuns: BATCHES },
    );
    expect([...statuses.keys()]).toEqual(
      expect.arrayContaining([200, 202, 400, 404, 405, 406, 415]),
    );
  });
});

function errorCodeOf({ body }: Reply): number | undefined {
  if (body === '') return undefined;
  const json = /^data: (.*)$/m.exec(body)?.[1] ?? body;
  return (JSON.parse(json) as { error?: { code: number } }).error?.code;
}

/** A value for a message: long runs of one pattern are cut. */
function brief(value: unknown): string {
  return (JSON.stringify(value) ?? 'none').replace(/(.{1,6}?)\1{20,}/g, '$1...').slice(0, 4_000);
}
