// Tasks of the built package over stdio, in a process of its own. Messages are written by hand, because no client knows
// the extension yet. The transport does not depend on the platform.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { observe, type Observed } from '../../../../test/support/processes.js';
import { until } from '../../../../test/support/until.js';
import { INITIALIZE } from '../support/wire.js';

const APP = fileURLToPath(new URL('../stdio/tasks.mjs', import.meta.url));
const MCP = 'io.modelcontextprotocol';

interface Answer {
  readonly id?: number;
  readonly error?: { readonly code: number };
  readonly result?: {
    readonly taskId: string;
    readonly status?: string;
    readonly [member: string]: unknown;
  };
}

describe('tasks over stdio', () => {
  let child: ChildProcessWithoutNullStreams;
  const answers: Answer[] = [];
  let errors = '';
  let observed: Observed;

  beforeAll(() => {
    child = spawn(process.execPath, [APP, 'fastify']);
    observed = observe(child);
    createInterface(child.stdout).on('line', (line) => answers.push(JSON.parse(line) as Answer));
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  });
  afterAll(async () => {
    child.kill();
    await observed.end();
  });

  let lastId = 0;

  async function write(message: object): Promise<Answer> {
    const id = ++lastId;
    child.stdin.write(`${JSON.stringify({ ...message, id })}\n`);
    await until(
      () => answers.some((answer) => answer.id === id),
      () => `an answer to ${id}:\n${observed.output()}`,
    );
    return answers.find((answer) => answer.id === id) as Answer;
  }

  /** A request of 2026-07-28. */
  function send(method: string, params: object, extensions: object = { [`${MCP}/tasks`]: {} }) {
    const _meta = {
      [`${MCP}/protocolVersion`]: '2026-07-28',
      [`${MCP}/clientInfo`]: { name: 'spec', version: '1.0.0' },
      [`${MCP}/clientCapabilities`]: { elicitation: { form: {} }, extensions },
    };
    return write({ jsonrpc: '2.0', method, params: { ...params, _meta } });
  }

  const begin = async (name: string) =>
    (await send('tools/call', { name, arguments: {} })).result?.taskId ?? 'none';

  async function taskWith(taskId: string, status: string) {
    let task: Answer['result'];
    await until(async () => {
      task = (await send('tasks/get', { taskId })).result;
      return task?.status === status;
    }, `${taskId} is ${status}`);
    return task;
  }

  it('are polled, answered and cancelled', async () => {
    const quick = await begin('quick');
    expect((await taskWith(quick, 'completed'))?.['result']).toMatchObject({
      content: [{ text: '{"quick":true}' }],
    });
    const asked = await begin('ask');
    expect((await taskWith(asked, 'input_required'))?.['inputRequests']).toMatchObject({
      name: { params: { message: 'Who?' } },
    });
    const inputResponses = { name: { action: 'accept', content: { name: 'Ada' } } };
    await send('tasks/update', { taskId: asked, inputResponses });
    expect((await taskWith(asked, 'completed'))?.['result']).toMatchObject({
      content: [{ text: '{"name":"Ada"}' }],
    });
    const working = await begin('work');
    expect(await taskWith(working, 'working')).toMatchObject({ statusMessage: 'Half done' });
    await send('tasks/cancel', { taskId: working });
    await until(() => errors.includes('the request of work was closed'));
    await taskWith(working, 'cancelled');
    expect((await send('tasks/get', { taskId: 'none' })).error?.code).toBe(-32602);
    // A client that does not know them waits for the answer.
    const plain = await send('tools/call', { name: 'quick', arguments: {} }, {});
    expect(plain.result).toMatchObject({ content: [{ text: '{"quick":true}' }] });
    expect(plain.result).not.toHaveProperty('taskId');
  });

  it('are no answer for clients of 2025-11-25', async () => {
    await write(INITIALIZE);
    child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    const params = { name: 'quick', arguments: {} };
    const older = await write({ jsonrpc: '2.0', method: 'tools/call', params });
    expect(older.result).toMatchObject({ content: [{ text: '{"quick":true}' }] });
    expect(older.result).not.toHaveProperty('taskId');
  });

  // Last, because it ends the process.
  it('end when stdin ends, and so does the process', async () => {
    await begin('work');
    errors = '';
    child.stdin.end();
    await observed.end();
    expect(errors).toContain('the request of work was closed');
  });
});

it('the store of tasks is closed with an application that never listened', async () => {
  const observed = observe(spawn(process.execPath, [APP, 'fastify', 'closed']));
  expect(await observed.end()).toMatchObject({ code: 0 });
  expect(observed.output()).toBe('the store was closed\n');
});
