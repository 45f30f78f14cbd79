// An application of the built package and its load, in one process started with --expose-gc.
// Prints one line of JSON: what soak.spec.ts expects.
import 'reflect-metadata';
import { Buffer } from 'node:buffer';
import { Agent, request } from 'node:http';
import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { Controller, Get, Module, Param } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { McpModule, McpTool } from '@fledge/mcp';

const SESSIONS = 1_000;
const CONCURRENT = 200;
const CALLS = 50_000;
const WARM_UP = 4_000;

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'soak', version: '1.0.0' },
  },
};
const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'soak', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const STATELESS = {
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'get',
};

class ThingsController {
  get(id) {
    // Callers are answered out of turn: an answer that took another's place would show.
    return setTimeout(id.length % 3, { id });
  }
}
const get = Object.getOwnPropertyDescriptor(ThingsController.prototype, 'get');
Param('id')(ThingsController.prototype, 'get', 0);
Get(':id')(ThingsController.prototype, 'get', get);
Reflect.defineMetadata('design:paramtypes', [String], ThingsController.prototype, 'get');
McpTool({ name: 'get', description: 'Reads a thing' })(ThingsController.prototype, 'get', get);
Controller('things')(ThingsController);

class AppModule {}
Module({
  imports: [McpModule.forRoot({ name: 'soak', sessions: { max: SESSIONS } })],
  controllers: [ThingsController],
})(AppModule);

const adapter = process.argv[2] === 'Fastify' ? new FastifyAdapter() : new ExpressAdapter();
const app = await NestFactory.create(AppModule, adapter, { logger: false });
await app.listen(0, '127.0.0.1');
const { port } = app.getHttpServer().address();
const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENT });

function send(method, headers, message) {
  return new Promise((resolve, reject) => {
    const body = message === undefined ? '' : JSON.stringify(message);
    const sent = request(
      {
        agent,
        method,
        port,
        host: '127.0.0.1',
        path: '/_mcp/messages',
        headers: {
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          ...headers,
        },
      },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (part) => (text += part));
        answer.on('error', reject);
        answer.on('end', () =>
          resolve({ status: answer.statusCode, headers: answer.headers, text }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

async function open() {
  const { headers } = await send('POST', {}, INITIALIZE);
  return headers['mcp-session-id'];
}

/** Calls the tool in a session, or without one, and says whether the answer is this caller's. */
async function call(id, thing, session) {
  const params = { name: 'get', arguments: { id: thing } };
  const { text } =
    session === undefined
      ? await send('POST', STATELESS, {
          jsonrpc: '2.0',
          id,
          method: 'tools/call',
          params: { ...params, _meta: ENVELOPE },
        })
      : await send(
          'POST',
          { 'mcp-session-id': session },
          { jsonrpc: '2.0', id, method: 'tools/call', params },
        );
  const { id: answered, result } = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);
  return answered === id && result.content[0].text === `{"id":"${thing}"}`;
}

/** Runs `count` jobs, `CONCURRENT` at a time; how many of them were true. */
async function run(count, job) {
  let next = 0;
  let right = 0;
  const worker = async () => {
    while (next < count) if (await job(next++)) right++;
  };
  await Promise.all(Array.from({ length: CONCURRENT }, worker));
  return right;
}

async function heapBytes() {
  for (let i = 0; i < 4; i++) {
    await setTimeout(50);
    globalThis.gc();
  }
  return process.memoryUsage().heapUsed;
}

const both = (session) => (i) => call(i, `thing-${i}`, i % 2 === 0 ? session : undefined);

// What is compiled and cached on first use is no growth.
const first = await open();
await run(WARM_UP, both(first));
await send('DELETE', { 'mcp-session-id': first });

const closed = await heapBytes();
const sessions = [];
await run(SESSIONS, async () => sessions.push(await open()));
const refused = await send('POST', {}, INITIALIZE);
const opened = await heapBytes();
const different = new Set(sessions).size;

// Every session asks with the same id, and for a thing of its own.
const inSessions = await run(SESSIONS, (i) => call(7, `of-session-${i}`, sessions[i]));
const [some] = sessions;
const together = await Promise.all(
  Array.from({ length: CONCURRENT }, (_, i) => call(i, `at-once-${i}`, i % 2 ? undefined : some)),
);
const ended = await run(
  SESSIONS,
  async (i) => (await send('DELETE', { 'mcp-session-id': sessions[i] })).status === 200,
);
sessions.length = 0;
const afterSessions = await heapBytes();

const last = await open();
const before = await heapBytes();
const began = performance.now();
const calls = await run(CALLS, both(last));
const callsMs = performance.now() - began;
const after = await heapBytes();

agent.destroy();
await app.close();
process.stdout.write(
  JSON.stringify({
    sessions: different,
    refused: refused.status,
    inSessions,
    together: together.filter(Boolean).length,
    ended,
    calls,
    callsPerSecond: Math.round(CALLS / (callsMs / 1_000)),
    bytesPerSession: Math.round((opened - closed) / SESSIONS),
    bytesLeftPerSession: Math.round((afterSessions - closed) / SESSIONS),
    bytesPerCall: Math.round(((after - before) / CALLS) * 10) / 10,
  }) + '\n',
);
