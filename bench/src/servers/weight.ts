// Boots an application of one controller and says what that took, then what calls of its tool took. Arguments:
// `plain` for NestJS alone, `decorator` for a controller with @McpTool, `module` for McpModule too; then the
// revision of the calls, with `module`.
import 'reflect-metadata';
import { performance } from 'node:perf_hooks';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import 'nestjs-cls';
import { INITIALIZE, SESSION_HEADERS, sessionRequest, statelessRequest } from '../mcp-messages.js';
import { defineMethod } from './define-method.js';
import { listen } from './platform.js';

const CALLS = 50;
const [kind, revision] = process.argv.slice(2);
const mcp = kind === 'plain' ? undefined : await import('@fledge/mcp');

class TasksController {}
defineMethod(TasksController, 'list', () => [], {
  decorators: [Get(), ...(mcp ? [mcp.McpTool({ name: 'list', description: 'Lists tasks' })] : [])],
  parameters: [],
});
Controller('tasks')(TasksController);

@Module({
  imports: kind === 'module' && mcp ? [mcp.McpModule.forRoot({ name: 'bench' })] : [],
  controllers: [TasksController],
})
class AppModule {}

const app = await NestFactory.create(AppModule, new ExpressAdapter(), { logger: false });
const url = `http://127.0.0.1:${await listen(app)}/_mcp/messages`;
const { user, system } = process.cpuUsage();
const { rss } = process.memoryUsage();
// The client's own fetch is loaded with its first request.
await fetch(url.replace('_mcp/messages', 'tasks')).then((answer) => answer.text());

const session: Record<string, string> = {};
const steps: number[] = [];
if (revision !== undefined) {
  const odd = revision === '2026-07-28' ? statelessRequest('server/discover', {}) : undefined;
  await timed(odd?.body ?? JSON.stringify(INITIALIZE), odd?.headers ?? SESSION_HEADERS);
  const request = odd ? statelessRequest : sessionRequest;
  const { body, headers } = request('tools/call', { name: 'list', arguments: {} });
  for (let i = 0; i < CALLS; i++) await timed(body, { ...headers, ...session });
}
process.send?.({ cpuMs: (user + system) / 1000, rssMb: rss / 1e6, steps }, () => process.exit(0));

async function timed(body: string, headers: Readonly<Record<string, string>>): Promise<void> {
  const began = performance.now();
  const answer = await fetch(url, { method: 'POST', body, headers });
  const text = await answer.text();
  steps.push(performance.now() - began);
  if (!answer.ok || !text.includes('"result"')) throw new Error(`${answer.status} ${text}`);
  const id = answer.headers.get('mcp-session-id');
  if (id !== null) session['mcp-session-id'] = id;
}
