// One of several processes whose tasks are in Redis. Arguments: Express or Fastify, port of Redis, the options of tasks
// as JSON. Prints its port when it listens.
import 'reflect-metadata';
import { setTimeout as pause } from 'node:timers/promises';
import { Controller, Get, Module, Param, Post } from '@nestjs/common';
import { Redis } from 'ioredis';
import { McpCall, McpCallInfo, McpModule, McpTool } from '@fledge/mcp';
import { redisTasks } from '@fledge/mcp/redis';
import { serveProcess } from '../support/serve-process.mjs';

/** Which calls ran in this process, and what happened to those of `work`. */
const seen = [];

class AppController {
  echo(word, call) {
    seen.push(word);
    return { word, caller: call.principal?.id, pid: process.pid };
  }

  /** Works until its request closes, or another call of the process releases it. */
  async work(word, call) {
    seen.push(`${word} begins`);
    call.progress(1, 2, `${word} in ${process.pid}`);
    while (!call.signal.aborted && !seen.includes(`${word} is released`)) await pause(5);
    seen.push(`${word} ${call.signal.aborted ? 'was closed' : 'ends'}`);
    return { word, pid: process.pid };
  }

  async ask(call) {
    const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
    const names = [];
    for (const message of ['First?', 'Second?']) {
      const answer = await call.elicit({ message, schema, key: 'name' });
      names.push(answer.content?.name ?? answer.action);
    }
    return { names, pid: process.pid };
  }

  release(word) {
    seen.push(`${word} is released`);
    return {};
  }

  seen() {
    return { pid: process.pid, seen };
  }
}

const { prototype } = AppController;
const define = (name, types, ...decorators) => {
  const descriptor = Object.getOwnPropertyDescriptor(prototype, name);
  Reflect.defineMetadata('design:paramtypes', types, prototype, name);
  for (const decorate of decorators) decorate(prototype, name, descriptor);
};
const tool = (name) => McpTool({ name, description: name, task: true });
for (const name of ['echo', 'work']) {
  Param('word')(prototype, name, 0);
  McpCallInfo()(prototype, name, 1);
  define(name, [String, McpCall], Post(`${name}/:word`), tool(name));
}
McpCallInfo()(prototype, 'ask', 0);
define('ask', [McpCall], Post('ask'), tool('ask'));
Param('word')(prototype, 'release', 0);
define('release', [String], Post('release/:word'));
define('seen', [], Get('seen'));
Controller()(AppController);

const [, , platform, redisPort, options = '{}'] = process.argv;
const client = new Redis({ port: Number(redisPort), lazyConnect: true });

class AppModule {}
Module({
  imports: [
    McpModule.forRoot({
      name: 'shared',
      tasks: { ...JSON.parse(options), store: redisTasks({ client }) },
      limits: { timeoutMs: 60_000 },
      auth: { type: 'bearer', validate: (token) => ({ id: token }) },
    }),
  ],
  controllers: [AppController],
})(AppModule);

await serveProcess(AppModule, platform);
