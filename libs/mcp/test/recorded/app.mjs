// The application that the recorded messages are sent to. It is JavaScript, because one spec imports it and another one
// starts it as a process that serves stdio.
import 'reflect-metadata';
import { setImmediate as turn } from 'node:timers/promises';
import {
  Body,
  Controller,
  Get,
  HttpException,
  Module,
  Param,
  ParseIntPipe,
  Post,
  Query,
} from '@nestjs/common';
import { McpAdapter, McpCall, McpCallInfo, McpModule } from '@fledge/mcp';
import { McpPrompt, McpResource, McpTool } from '@fledge/mcp';

const FORM = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };

class ThingsController {
  constructor(adapter) {
    this.adapter = adapter;
    this.held = new Set();
  }

  list() {
    return ['a', 'b'];
  }

  values(value) {
    return [`${value}1`, `${value}2`];
  }

  echo(body) {
    return body;
  }

  text({ text }) {
    return text;
  }

  find(region, limit) {
    return { region, limit };
  }

  fail(status) {
    throw new HttpException('This always fails', Number(status));
  }

  never() {
    return new Promise(() => undefined);
  }

  /** Works until `release` is called or the call is aborted. */
  async hold(call) {
    call.progress(1, 2, 'Held');
    await new Promise((resolve) => {
      this.held.add(resolve);
      call.signal?.addEventListener('abort', resolve);
    });
    return { held: true };
  }

  release() {
    for (const resolve of this.held) resolve();
    this.held.clear();
    return { released: true };
  }

  async ask(call) {
    const { action, content } = await call.elicit({ message: 'Who?', schema: FORM, key: 'name' });
    return { action, content };
  }

  /** A task. */
  job(call) {
    return this.hold(call);
  }

  /** A task that asks. */
  question(call) {
    return this.ask(call);
  }

  async sample(call) {
    const content = { type: 'text', text: 'Which word?' };
    return call.sample({ messages: [{ role: 'user', content }], maxTokens: 9 });
  }

  async roots(call) {
    return { roots: await call.listRoots() };
  }

  logs(call) {
    for (const level of ['debug', 'error']) call.log(level, { level }, 'things');
    return { logged: true };
  }

  /** Tells subscribers that a resource changed. */
  touch() {
    this.adapter.resourceUpdated('things://a');
    return { touched: true };
  }

  /** Answers after everything that was sent before, because no other call takes as many turns of the event loop. */
  async settle() {
    for (let i = 0; i < 200; i++) await turn();
    return { settled: true };
  }

  secret() {
    return { secret: true };
  }

  // Last: on Express, its path covers those above.
  get(id) {
    return { id };
  }
}

const tool = (name, options) => McpTool({ name, description: `Runs ${name}`, ...options });
const prompt = (name, options) => McpPrompt({ name, description: `Prompts ${name}`, ...options });
const complete = { id: 'values' };
const anything = { type: 'object', additionalProperties: true };
const textInput = { type: 'object', properties: { text: { type: 'string' } } };
const call = [McpCall, McpCallInfo()];
const ROUTES = [
  ['list', [], Get('list'), McpResource({ uri: 'things://list', name: 'list' })],
  ['values', [[String, Query('value')]], Get('values')],
  ['echo', [[Object, Body()]], Post('echo'), tool('echo', { inputSchema: anything })],
  [
    'text',
    [[Object, Body()]],
    Post('text'),
    tool('text', { inputSchema: textInput, outputSchema: { type: 'object' } }),
  ],
  [
    'find',
    [
      [String, Query('region')],
      [Number, Query('limit', ParseIntPipe)],
    ],
    Get('find'),
    tool('find', { headers: { region: 'Region', limit: 'Limit' } }),
  ],
  ['fail', [[Number, Param('status', ParseIntPipe)]], Get('fail/:status'), tool('fail')],
  ['never', [], Get('never'), tool('never', { timeoutMs: 100 })],
  ['hold', [call], Post('hold'), tool('hold')],
  ['release', [], Post('release'), tool('release')],
  ['ask', [call], Post('ask'), tool('ask'), prompt('ask')],
  ['job', [call], Post('job'), tool('job', { task: true })],
  ['question', [call], Post('question'), tool('question', { task: true })],
  ['sample', [call], Post('sample'), tool('sample')],
  ['roots', [call], Post('roots'), tool('roots')],
  ['logs', [call], Post('logs'), tool('logs')],
  ['touch', [], Post('touch'), tool('touch')],
  ['settle', [], Post('settle'), tool('settle')],
  ['secret', [], Get('secret'), tool('secret', { tags: ['guarded'], scopes: ['admin'] })],
  [
    'get',
    [[String, Param('id')]],
    Get(':id'),
    tool('get', { tags: ['guarded'] }),
    prompt('get', { complete }),
    McpResource({ uri: 'things://{id}', complete }),
  ],
];
function decorate({ prototype }, [name, parameters, ...decorators]) {
  const types = parameters.map(([type]) => type);
  Reflect.defineMetadata('design:paramtypes', types, prototype, name);
  parameters.forEach(([, decorator], i) => decorator(prototype, name, i));
  const descriptor = Object.getOwnPropertyDescriptor(prototype, name);
  for (const decorator of decorators) decorator(prototype, name, descriptor);
}
for (const route of ROUTES) decorate(ThingsController, route);
Reflect.defineMetadata('design:paramtypes', [McpAdapter], ThingsController);
Controller('things')(ThingsController);

const BEARER = {
  type: 'bearer',
  validate(token) {
    if (token === 'crash') throw new Error('This text is not for clients');
    return token !== 'bad' && { id: token, scopes: token === 'admin' ? ['admin'] : [] };
  },
};
const exclude = ['/things/secret'];

/** The module of the application, which serves HTTP or stdio. */
export function moduleOf(transport) {
  class AppModule {}
  const mcp = McpModule.forRoot({
    name: 'recorded',
    transport,
    allowedHosts: ['127.0.0.1'],
    limits: { requestBytes: 10_000, listItems: 3 },
    sessions: { max: 10_000 },
    endpoints: [
      { path: '/mcp', exclude },
      { path: '/mcp/one', exclude, sessions: { max: 1 } },
      { path: '/mcp/resume', exclude, sessions: { max: 10_000, resume: true } },
      { path: '/mcp/search', exclude, search: true },
      { path: '/mcp/guarded', tags: ['guarded'], auth: BEARER },
    ],
  });
  Module({ imports: [mcp], controllers: [ThingsController] })(AppModule);
  return AppModule;
}
