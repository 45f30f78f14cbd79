// Operations of clients that mean harm. The server is the built package in a process to itself, so that its CPU time
// and its heap are its own. HOSTILE_OPERATIONS=1000 sends 30,000: so many of each kind, on each platform.
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { platforms } from '../../../../test/support/platforms.js';
import { type HostileOperation, hostileOperations } from '../support/hostile-operations.js';
import { pipelined, type PipelinedAnswer } from '../support/pipelined.js';
import { hangUp, Wire } from '../support/sockets.js';

const OF_EACH_KIND = Number(process.env['HOSTILE_OPERATIONS'] ?? 40);
const AT_ONCE = 20;
/** CPU time of a refusal, as a multiple of that of a small operation that is not cached. About 4 was measured. */
const MOST_TIMES = 25;
const MIB = 1_048_576;
const kinds = Object.keys(hostileOperations);
const SERVER = fileURLToPath(new URL('../hostile/limited.mjs', import.meta.url));

const CODES: readonly (string | undefined)[] = [
  'GRAPHQL_LIMIT_EXCEEDED',
  'GRAPHQL_VALIDATION_FAILED',
  'BAD_USER_INPUT',
  'OPERATION_RESOLUTION_FAILURE',
  // Of graphql-js, for invalid variables and an unknown operationName.
  undefined,
];

type Errors = readonly { readonly message: string; readonly extensions?: { code?: string } }[];

/** What is wrong with an answer that should refuse an operation in the terms of GraphQL. */
function faultsOf(errors: Errors = [], text: string): string[] {
  const codes = errors.map(({ extensions }) => extensions?.code);
  return [
    ...(errors.some(({ message }) => message !== '') ? [] : ['no errors']),
    ...codes.filter((code) => !CODES.includes(code)).map((code) => `code ${code}`),
    ...(/stack|node_modules|INTERNAL|"data":\{/.test(text) ? ['data or a stack'] : []),
  ];
}

type FaultsIn = (answer: PipelinedAnswer) => readonly string[];

const inRefusal: FaultsIn = ({ status, body }) => [
  // Execution reports invalid variables, with status 200.
  ...(status === 200 || status === 400 ? [] : [`status ${status}`]),
  ...faultsOf((JSON.parse(body) as { errors?: Errors }).errors, body),
];
const inData: FaultsIn = ({ body }) => (body.startsWith('{"data":') ? [] : ['no data']);

describe.each(platforms)('hostile operations on $name', ({ name }) => {
  let child: ChildProcess;
  let line: () => Promise<string>;
  let url: string;

  beforeAll(async () => {
    child = spawn(
      process.execPath,
      ['--expose-gc', '--max-old-space-size=192', '--no-warnings', SERVER, name],
      { stdio: ['pipe', 'pipe', 'inherit'] },
    );
    const lines = createInterface(child.stdout!)[Symbol.asyncIterator]();
    line = async () => (await lines.next()).value as string;
    url = await line();
  }, 60_000);

  afterAll(() => {
    hangUp();
    child.kill('SIGKILL');
  });

  /** CPU time and heap of the server. */
  const used = async () => {
    child.stdin!.write('\n');
    const [cpu, heap] = (await line()).split(' ').map(Number);
    return { cpu: cpu!, heap: heap! };
  };

  /** Posts operations and returns the CPU time of each. */
  const post = async (operations: readonly HostileOperation[], faultsIn: FaultsIn) => {
    const { cpu } = await used();
    const faults = new Set<string>();
    for (let i = 0; i < operations.length; i += AT_ONCE) {
      const answers = await pipelined(`${url}/graphql`, operations.slice(i, i + AT_ONCE));
      for (const answer of answers) {
        for (const fault of faultsIn(answer)) faults.add(`${fault}: ${answer.body}`);
      }
    }
    expect([...faults]).toEqual([]);
    return ((await used()).cpu - cpu) / operations.length;
  };
  const many = (make: (i: number) => HostileOperation, from: number, count: number) =>
    Array.from({ length: count }, (_, i) => make(from + i));

  it('are refused over HTTP in bounded time, and leave nothing in memory', async () => {
    const small = (from: number) =>
      post(
        many((i) => ({ query: `{ x${i}: a }` }), from, 200),
        inData,
      );
    await small(0);
    const cpuOfSmall = await small(200);
    const ratios: Record<string, number> = {};
    const each = async (from: number, count: number) => {
      for (const kind of kinds) {
        const cpu = await post(many(hostileOperations[kind]!, from, count), inRefusal);
        ratios[kind] = Math.round((cpu / cpuOfSmall) * 10) / 10;
      }
      return (await used()).heap;
    };
    const warm = Math.ceil(OF_EACH_KIND / 5);
    const before = await each(0, warm);
    const after = await each(warm, OF_EACH_KIND - warm);
    expect(Object.entries(ratios).filter(([, ratio]) => ratio > MOST_TIMES)).toEqual([]);
    expect(after - before).toBeLessThan(8 * MIB);
    if (process.env['FIGURES'] !== undefined) {
      process.stdout.write(`${JSON.stringify({ name, cpuOfSmall, ratios, before, after })}\n`);
    }
  }, 300_000);

  it('are refused over sockets and event streams', async () => {
    const wire = await Wire.connect(`${url}/graphql`);
    for (const kind of kinds) {
      for (const i of [20_001, 20_002]) {
        const { query, ...more } = hostileOperations[kind]!(i);
        const id = `${kind} ${i}`;
        wire.subscribe(id, query, more);
        const { type, payload } = await wire.answer(id);
        // Execution reports invalid variables.
        const errors = (type === 'next' ? payload.errors : payload) as Errors;
        expect([kind, ...faultsOf(errors, JSON.stringify(payload))]).toEqual([kind]);

        const stream = await fetch(`${url}/yoga`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
          body: JSON.stringify({ query, ...more }),
        });
        const text = await stream.text();
        const event = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) as { errors: Errors };
        expect([kind, ...faultsOf(event.errors, text)]).toEqual([kind]);
      }
    }
    wire.vanish();
  }, 60_000);
});
