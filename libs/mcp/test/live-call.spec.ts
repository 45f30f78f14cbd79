// What a route can say to its client while it runs, through both official clients.
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  Controller,
  Get,
  HttpException,
  Injectable,
  Post,
  Catch,
  type ArgumentsHost,
  type ExceptionFilter,
} from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { McpCall, McpCallInfo, McpTool } from '../src/index.js';
import { type RunningApp, startApp } from './support/app.js';
import { textOf } from './support/clients.js';
import { connectEra, type EraClient, eras, type Progress, throughSearch } from './support/eras.js';
import { fakeOnly } from './support/fake-timers.js';
import { platforms } from '../../../test/support/platforms.js';
import { until } from '../../../test/support/until.js';

/** Runs of the handlers that ask, to see what a round costs. */
let runs: string[] = [];
/** Calls of `slow` and `endless` whose handler has begun, and those whose signal was aborted. */
let begun: string[] = [];
let aborted: string[] = [];
let total = 3;

/** Of a tool that asks the user. Less than the clients wait, which is a minute. */
const PATIENT_MS = 20_000;

@Injectable()
class Importer {
  constructor(private readonly call: McpCall) {}

  async run(count: number): Promise<{ imported: number }> {
    for (let i = 1; i <= count; i++) {
      await sleep(1);
      this.call.progress(i, count, `row ${i}`);
      this.call.log(i % 2 === 0 ? 'debug' : 'warning', { row: i }, 'importer');
    }
    return { imported: count };
  }
}

const NOTHING = { type: 'object', properties: {} };
const Confirmation = z.object({ confirm: z.boolean(), note: z.string().max(20).optional() });

@Controller('live')
class LiveController {
  constructor(
    private readonly importer: Importer,
    private readonly call: McpCall,
  ) {}

  @Post('import')
  @McpTool({ name: 'import', description: 'Imports rows' })
  import() {
    return this.importer.run(4);
  }

  @Get('who')
  @McpTool({ name: 'who', description: 'Says who calls' })
  who(@McpCallInfo() bound: McpCall | undefined) {
    const { kind, name, client, principal } = this.call;
    return {
      kind: kind ?? null,
      name: name ?? null,
      client: client?.name ?? null,
      principal: principal ?? null,
      signal: this.call.signal === undefined ? null : this.call.signal.aborted,
      bound: bound?.name ?? null,
      elicitation: this.call.supports('elicitation'),
    };
  }

  @Post('delete')
  @McpTool({ name: 'delete', description: 'Deletes after asking' })
  async delete() {
    runs.push('delete');
    const answer = await this.call.elicit({
      message: `Delete ${total} tasks?`,
      schema: Confirmation,
    });
    return answer.action === 'accept' && answer.content.confirm
      ? { deleted: total, note: answer.content.note ?? null }
      : { deleted: 0, action: answer.action };
  }

  @Post('survey')
  @McpTool({ name: 'survey', description: 'Asks twice' })
  async survey() {
    runs.push('survey');
    const ask = async (field: string) => {
      const schema = { type: 'object', properties: { [field]: { type: 'string' } } };
      const answer = await this.call.elicit({ message: `Your ${field}?`, schema });
      return answer.action === 'accept' ? answer.content[field] : answer.action;
    };
    const name = await ask('name');
    return { name, color: await ask('color') };
  }

  @Post('everything')
  @McpTool({ name: 'everything', description: 'Asks all at once' })
  async everything() {
    runs.push('everything');
    const [form, sample, roots] = await Promise.all([
      this.call.elicit({ message: 'Sure?', schema: Confirmation, key: 'sure' }),
      this.call.sample({
        messages: [{ role: 'user', content: { type: 'text', text: 'Say hi' } }],
        maxTokens: 10,
        key: 'hi',
      }),
      this.call.listRoots('where'),
    ]);
    return { form, sample: sample?.content ?? null, roots: roots ?? null };
  }

  @Get('slow')
  @McpTool({ name: 'slow', description: 'Waits until it is told not to', timeoutMs: 250 })
  slow() {
    return this.hang('slow');
  }

  @Get('endless')
  @McpTool({ name: 'endless', description: 'Waits until its caller leaves' })
  endless() {
    return this.hang('endless');
  }

  @Get('patient')
  @McpTool({ name: 'patient', description: 'Waits for the user', timeoutMs: PATIENT_MS })
  async patient() {
    await this.call.elicit({ message: 'Take your time', schema: Confirmation });
    return { asked: true };
  }

  @Get('both')
  @McpTool({ name: 'both', description: 'Asks two things at once', timeoutMs: PATIENT_MS })
  async both() {
    const ask = (key: string) => this.call.elicit({ message: key, schema: NOTHING, key });
    const answers = await Promise.all([ask('first'), ask('second')]);
    return answers.map(({ action }) => action);
  }

  @Get('note')
  @McpTool({ name: 'note', description: 'Asks for a note' })
  async note() {
    return this.call.elicit({ message: 'A note?', schema: NOTHING });
  }

  @Get('proto')
  @McpTool({ name: 'proto', description: 'Asks with the name of a property of every object' })
  async proto() {
    const actions: string[] = [];
    for (const key of ['__proto__', 'constructor']) {
      actions.push((await this.call.elicit({ message: key, schema: NOTHING, key })).action);
    }
    return actions;
  }

  private hang(name: string) {
    this.call.signal?.addEventListener('abort', () => aborted.push(name));
    begun.push(name);
    return new Promise(() => undefined);
  }
}

@Catch(HttpException)
class OwnFilter implements ExceptionFilter<HttpException> {
  catch(exception: HttpException, host: ArgumentsHost) {
    const response = host.switchToHttp().getResponse<{
      status(code: number): { send(body: unknown): void };
    }>();
    response.status(exception.getStatus()).send({ filtered: exception.message });
  }
}

const app = {
  controllers: [LiveController],
  providers: [Importer, { provide: 'APP_FILTER', useClass: OwnFilter }],
  mcp: {
    auth: {
      type: 'bearer' as const,
      validate: (token: string) => ({ id: token, scopes: ['a'], plan: 'gold' }),
    },
    // Tools can be called by their names all the same.
    search: true,
  },
};

const headers = { authorization: 'Bearer ada' };

const ways = eras.flatMap(([era]) =>
  (['by its name', 'through search'] as const).map((through) => [era, through] as const),
);

describe.each(platforms)('a live call on $name', ({ adapter }) => {
  let running: RunningApp;
  let client: EraClient | undefined;

  beforeEach(async () => {
    runs = [];
    begun = [];
    aborted = [];
    total = 3;
    running = await startApp(adapter(), app);
  });
  afterEach(async () => {
    jest.useRealTimers();
    await client?.close();
    client = undefined;
    await running.close();
  });

  describe.each(ways)('of %s, %s', (era, through) => {
    const connect = async (behaviour: Parameters<typeof connectEra>[2] = {}) => {
      client = await connectEra(era, running.endpoint, { headers, ...behaviour });
      return through === 'by its name' ? client : throughSearch(client);
    };

    it('tells how far it is, from any provider, where the client asks', async () => {
      const { call } = await connect();
      const seen: Progress[] = [];
      const result = await call('import', {}, { onprogress: (progress) => seen.push(progress) });
      expect(JSON.parse(textOf(result))).toEqual({ imported: 4 });
      expect(seen).toEqual(
        [1, 2, 3, 4].map((progress) => ({ progress, total: 4, message: `row ${progress}` })),
      );
      expect(JSON.parse(textOf(await call('import')))).toEqual({ imported: 4 });
      expect(seen).toHaveLength(4);
    });

    it('sends log messages of the level the client wants', async () => {
      const { call, logs, client: sdk } = await connect();
      if (era === '2025-11-25') {
        await call('import');
        expect(logs.map(({ level }) => level)).toEqual(['warning', 'debug', 'warning', 'debug']);
        logs.length = 0;
        await (sdk as { setLoggingLevel(level: string): Promise<unknown> }).setLoggingLevel('info');
        await call('import');
      } else {
        await call('import');
        expect(logs).toEqual([]);
        await call('import', {}, { logLevel: 'info' });
      }
      expect(logs).toEqual([
        { level: 'warning', data: { row: 1 }, logger: 'importer' },
        { level: 'warning', data: { row: 3 }, logger: 'importer' },
      ]);
    });

    it('knows who calls', async () => {
      const { call } = await connect({ elicit: () => ({ action: 'cancel' }) });
      expect(JSON.parse(textOf(await call('who')))).toEqual({
        kind: 'tool',
        name: 'who',
        client: 'spec',
        principal: { id: 'ada', scopes: ['a'], plan: 'gold' },
        signal: false,
        bound: 'who',
        elicitation: true,
      });
    });

    it('asks the user by a form, which the schema parses', async () => {
      const asked: unknown[] = [];
      const { call } = await connect({
        elicit(params) {
          asked.push(params);
          return { action: 'accept', content: { confirm: true, note: 'old ones' } };
        },
      });
      expect(JSON.parse(textOf(await call('delete')))).toEqual({ deleted: 3, note: 'old ones' });
      expect(asked).toEqual([
        expect.objectContaining({
          message: 'Delete 3 tasks?',
          requestedSchema: {
            type: 'object',
            properties: {
              confirm: { type: 'boolean' },
              note: { type: 'string', maxLength: 20 },
            },
            required: ['confirm'],
          },
        }),
      ]);
      expect(runs).toHaveLength(era === '2025-11-25' ? 1 : 2);
    });

    it.each(['decline', 'cancel'])('hears that the user chose to %s', async (action) => {
      const { call } = await connect({ elicit: () => ({ action }) });
      expect(JSON.parse(textOf(await call('delete')))).toEqual({ deleted: 0, action });
    });

    it('asks one thing after the other', async () => {
      const { call } = await connect({
        elicit: ({ message }) => ({
          action: 'accept',
          content: message.includes('name') ? { name: 'Ada' } : { color: 'blue' },
        }),
      });
      expect(JSON.parse(textOf(await call('survey')))).toEqual({ name: 'Ada', color: 'blue' });
      expect(runs).toHaveLength(era === '2025-11-25' ? 1 : 3);
    });

    it('asks user, model and roots at once', async () => {
      const { call } = await connect({
        elicit: () => ({ action: 'accept', content: { confirm: true } }),
        sample: () => ({ role: 'assistant', content: { type: 'text', text: 'hi' }, model: 'm' }),
        roots: () => ({ roots: [{ uri: 'file:///work' }] }),
      });
      expect(JSON.parse(textOf(await call('everything')))).toEqual({
        form: { action: 'accept', content: { confirm: true } },
        sample: { type: 'text', text: 'hi' },
        roots: [{ uri: 'file:///work' }],
      });
      expect(runs).toHaveLength(era === '2025-11-25' ? 1 : 2);
    });

    it('takes no answer that does not fit', async () => {
      const { call } = await connect({
        elicit: () => ({ action: 'accept', content: { confirm: true, note: 'x'.repeat(50) } }),
      });
      const result = await call('delete');
      expect(result.isError).toBe(true);
      expect(textOf(result)).toContain("The client's answer to elicitation cannot be used");
    });

    it('says what it needs of a client that cannot be asked', async () => {
      const { call } = await connect();
      if (era === '2025-11-25') {
        const result = await call('delete');
        expect(result.isError).toBe(true);
        expect(textOf(result)).toContain('This call requires a client that supports elicitation.');
      } else {
        await expect(call('delete')).rejects.toMatchObject({
          code: -32021,
          data: { requiredCapabilities: { elicitation: { form: {} } } },
        });
      }
    });

    it('stops its clock while the user thinks', async () => {
      jest.useFakeTimers(fakeOnly('setTimeout'));
      const { call } = await connect({
        elicit() {
          jest.advanceTimersByTime(PATIENT_MS + 1);
          return { action: 'accept', content: { confirm: true } };
        },
      });
      expect(JSON.parse(textOf(await call('patient')))).toEqual({ asked: true });
    });

    it('stops its clock until the user has answered every question', async () => {
      jest.useFakeTimers(fakeOnly('setTimeout'));
      let isFirstAnswered = false;
      const { call } = await connect({
        async elicit({ message }) {
          if (message === 'second') {
            await until(() => isFirstAnswered);
            // The server receives the first answer before the second one.
            for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
            jest.advanceTimersByTime(PATIENT_MS + 1);
          }
          isFirstAnswered = true;
          return { action: 'accept', content: {} };
        },
      });
      expect(JSON.parse(textOf(await call('both')))).toEqual(['accept', 'accept']);
    });

    it('takes a form without content', async () => {
      const { call } = await connect({ elicit: () => ({ action: 'accept' }) });
      expect(JSON.parse(textOf(await call('note')))).toEqual({ action: 'accept', content: {} });
    });

    it('tells the route that its time is up, and that its caller left', async () => {
      const { call } = await connect();
      // On a busy machine, the time may be up before the handler begins.
      do expect(textOf(await call('slow'))).toContain('timed out after 250 ms');
      while (begun.length === 0);
      await until(() => aborted.length > 0);
      expect(aborted).toEqual(['slow']);
      const leaving = new AbortController();
      const left = call('endless', {}, { signal: leaving.signal }).catch(() => 'left');
      await until(() => begun.includes('endless'));
      leaving.abort();
      expect(await left).toBe('left');
      await until(() => aborted.length > 1);
      expect(aborted).toEqual(['slow', 'endless']);
    });
  });

  it('is inert on plain HTTP', async () => {
    const post = (path: string) => fetch(`${running.url}/live/${path}`, { method: 'POST' });
    expect(await (await fetch(`${running.url}/live/who`)).json()).toEqual({
      kind: null,
      name: null,
      client: null,
      principal: null,
      signal: null,
      bound: null,
      elicitation: false,
    });
    expect(await (await post('import')).json()).toEqual({ imported: 4 });
    expect(await (await post('delete')).json()).toEqual({ deleted: 0, action: 'unavailable' });
    expect(await (await post('everything')).json()).toEqual({
      form: { action: 'unavailable' },
      sample: null,
      roots: null,
    });
  });

  it('is inert outside of requests', () => {
    const call = running.app.get(McpCall);
    expect([call.kind, call.name, call.client, call.signal]).toEqual(Array(4).fill(undefined));
    expect(() => call.progress(1)).not.toThrow();
  });
});

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'spec', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {
    elicitation: { form: {} },
    sampling: {},
    roots: {},
  },
};

interface InputRequired {
  resultType: string;
  inputRequests: Record<string, { params: { message: string } }>;
  requestState: string;
}

describe('the rounds of a call of 2026-07-28', () => {
  let running: RunningApp;
  beforeEach(async () => {
    runs = [];
    total = 3;
    running = await startApp(platforms[0]!.adapter(), app);
  });
  afterEach(() => running.close());

  async function say(name: string, params: object = {}, token = 'ada') {
    const { message, status } = await running.wire.post(
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { _meta: ENVELOPE, name, arguments: {}, ...params },
      },
      {
        authorization: `Bearer ${token}`,
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': name,
      },
    );
    return { status, result: message.result as unknown as InputRequired, error: message.error };
  }

  const yes = { 'elicitation-1': { action: 'accept', content: { confirm: true } } };

  it('carry signed state, which nothing but the same call of the same caller may bring', async () => {
    const { result } = await say('delete');
    expect(result).toMatchObject({
      resultType: 'input_required',
      inputRequests: { 'elicitation-1': { method: 'elicitation/create' } },
    });
    const { requestState } = result;
    const refused = { code: -32602, message: 'Invalid or expired requestState' };
    const again = { inputResponses: yes, requestState };
    for (const attempt of [
      say('delete', { ...again, requestState: `${requestState}x` }),
      say('delete', again, 'bob'),
      say('survey', again),
    ]) {
      expect((await attempt).error).toMatchObject(refused);
    }
    expect((await say('delete', again)).result).toMatchObject({
      content: [{ text: JSON.stringify({ deleted: 3, note: null }) }],
    });
  });

  it('ask anew where the question has changed since it was answered', async () => {
    const { result } = await say('delete');
    total = 4;
    const changed = await say('delete', {
      inputResponses: yes,
      requestState: result.requestState,
    });
    expect(changed.result.inputRequests['elicitation-1']?.params.message).toBe('Delete 4 tasks?');
  });

  it.each([
    ['sampling', 'hi', { role: 'assistant', content: 'hi', model: 'm' }],
    ['roots', 'where', { roots: [{ uri: 'https://example.com' }] }],
    ['elicitation', 'sure', { action: 'perhaps' }],
  ])('take no answer to %s that does not fit', async (feature, key, invalid) => {
    const { result } = await say('everything');
    const inputResponses = {
      sure: { action: 'decline' },
      hi: { role: 'assistant', content: { type: 'text', text: 'hi' }, model: 'm' },
      where: { roots: [] },
      [key]: invalid,
    };
    const answered = await say('everything', {
      inputResponses,
      requestState: result.requestState,
    });
    expect(answered.result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining(`The client's answer to ${feature} cannot`) }],
    });
  });

  it('take a form whose content is null', async () => {
    const { requestState } = (await say('note')).result;
    const inputResponses = { 'elicitation-1': { action: 'accept', content: null } };
    expect((await say('note', { inputResponses, requestState })).result).toMatchObject({
      content: [{ text: '{"action":"accept","content":{}}' }],
    });
  });

  it('have questions with any key', async () => {
    let params = {};
    for (const key of ['__proto__', 'constructor']) {
      const { result } = await say('proto', params);
      expect(Object.keys(result.inputRequests)).toEqual([key]);
      const inputResponses = Object.fromEntries([[key, { action: 'accept', content: {} }]]);
      params = { requestState: result.requestState, inputResponses };
    }
    expect((await say('proto', params)).result).toMatchObject({
      content: [{ text: '["accept","accept"]' }],
    });
  });

  it('ask again for what did not come, and pass over what nobody asked for', async () => {
    const { result } = await say('delete', { inputResponses: { other: { action: 'accept' } } });
    expect(result.resultType).toBe('input_required');
  });
});
