// One of several processes whose sessions are in Redis. Arguments: Express or Fastify, port of Redis, the options of
// sessions of each endpoint as JSON, and the option `auth` of each as JSON, in place of tokens that are names. Prints its
// port when it listens.
import 'reflect-metadata';
import { setTimeout as pause } from 'node:timers/promises';
import { Controller, Get, Module, Param, Post } from '@nestjs/common';
import { Redis } from 'ioredis';
import { McpAdapter, McpCall, McpCallInfo, McpModule, McpResource, McpTool } from '@fledge/mcp';
import { redisSessions } from '@fledge/mcp/redis';
import { serveProcess } from '../support/serve-process.mjs';

class AppController {
  constructor(adapter) {
    this.adapter = adapter;
    this.released = false;
  }

  pid() {
    return { pid: process.pid };
  }

  echo(word, call) {
    call.log('info', { word });
    const { id, tenant } = call.principal ?? {};
    return { word, caller: id, tenant, pid: process.pid };
  }

  async ask(call) {
    const schema = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] };
    const first = await call.elicit({ message: 'Sure?', schema });
    const second = await call.elicit({ message: 'Really?', schema });
    return { pid: process.pid, answers: [first.content?.ok, second.content?.ok] };
  }

  async sample(call) {
    const content = { type: 'text', text: 'Which word?' };
    const sample = await call.sample({ messages: [{ role: 'user', content }], maxTokens: 9 });
    return { pid: process.pid, said: sample.content.text };
  }

  report(call) {
    call.progress(1, 2);
    for (const level of ['debug', 'warning', 'error']) call.log(level, { level });
    return { pid: process.pid };
  }

  /** Logs until the client cancels, the process ends, or a minute has passed. */
  async wait(call) {
    for (let i = 0; i < 1_200 && !call.signal.aborted; i++) {
      call.log('error', { pid: process.pid, i });
      await pause(50);
    }
    return { aborted: call.signal.aborted };
  }

  /** Closes its stream, and goes on until another call of the process releases it. */
  async leave(call) {
    const closed = call.closeStream();
    call.log('error', { closed, pid: process.pid });
    while (!this.released && !call.signal.aborted) await pause(5);
    this.released = false;
    return { pid: process.pid };
  }

  release() {
    this.released = true;
    return { pid: process.pid };
  }

  note(id) {
    return { id };
  }

  change(id) {
    this.adapter.resourceUpdated(`notes://${id}`);
    return { pid: process.pid };
  }
}

const { prototype } = AppController;
const define = (name, types, ...decorators) => {
  const descriptor = Object.getOwnPropertyDescriptor(prototype, name);
  Reflect.defineMetadata('design:paramtypes', types, prototype, name);
  for (const decorate of decorators) decorate(prototype, name, descriptor);
};
const tool = (name) => McpTool({ name, description: name });
define('pid', [], Get('pid'), tool('pid'));
Param('word')(prototype, 'echo', 0);
McpCallInfo()(prototype, 'echo', 1);
define('echo', [String, McpCall], Get('echo/:word'), tool('echo'));
McpCallInfo()(prototype, 'ask', 0);
define('ask', [McpCall], Post('ask'), tool('ask'));
McpCallInfo()(prototype, 'sample', 0);
define('sample', [McpCall], Post('sample'), tool('sample'));
McpCallInfo()(prototype, 'report', 0);
define('report', [McpCall], Post('report'), tool('report'));
McpCallInfo()(prototype, 'wait', 0);
define('wait', [McpCall], Post('wait'), tool('wait'));
McpCallInfo()(prototype, 'leave', 0);
define('leave', [McpCall], Post('leave'), tool('leave'));
define('release', [], Post('release'), tool('release'));
Param('id')(prototype, 'note', 0);
define('note', [String], Get('notes/:id'), McpResource({ uri: 'notes://{id}' }));
Param('id')(prototype, 'change', 0);
define('change', [String], Post('notes/:id'), tool('change'));
Reflect.defineMetadata('design:paramtypes', [McpAdapter], AppController);
Controller()(AppController);

const [, , platform, redisPort, options = '{}', auths = '{}'] = process.argv;
const client = new Redis({ port: Number(redisPort), lazyConnect: true });
const store = redisSessions({ client });
const authOf = JSON.parse(auths);
const endpoints = { '/_mcp/messages': { max: 10_000 }, ...JSON.parse(options) };

class AppModule {}
Module({
  imports: [
    McpModule.forRoot({
      name: 'shared',
      endpoints: Object.entries(endpoints).map(([path, sessions]) => ({
        path,
        sessions: { ...sessions, store },
        auth: authOf[path] ?? { type: 'bearer', validate: (token) => ({ id: token }) },
      })),
      limits: { timeoutMs: 60_000 },
    }),
  ],
  controllers: [AppController],
})(AppModule);

await serveProcess(AppModule, platform);
