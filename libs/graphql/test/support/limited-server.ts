import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from '@jest/globals';
import { lineReader } from '../../../../test/support/processes.js';
import type { HostileOperation } from './hostile-operations.js';
import { pipelined, type PipelinedAnswer } from './pipelined.js';

const AT_ONCE = 20;
const SERVER = fileURLToPath(new URL('../hostile/limited.mjs', import.meta.url));

const CODES: readonly (string | undefined)[] = [
  'GRAPHQL_LIMIT_EXCEEDED',
  'GRAPHQL_VALIDATION_FAILED',
  'BAD_USER_INPUT',
  'OPERATION_RESOLUTION_FAILURE',
  // Of graphql-js, for invalid variables and an unknown operationName.
  undefined,
];

export type Errors = readonly {
  readonly message: string;
  readonly extensions?: { code?: string };
}[];

/** What is wrong with an answer that should refuse an operation in the terms of GraphQL. */
export function faultsOf(errors: Errors = [], text: string): string[] {
  const codes = errors.map(({ extensions }) => extensions?.code);
  return [
    ...(errors.some(({ message }) => message !== '') ? [] : ['no errors']),
    ...codes.filter((code) => !CODES.includes(code)).map((code) => `code ${code}`),
    ...(/stack|node_modules|INTERNAL|"data":\{/.test(text) ? ['data or a stack'] : []),
  ];
}

export type FaultsIn = (answer: PipelinedAnswer) => readonly string[];

export const inRefusal: FaultsIn = ({ status, body }) => [
  ...([400, 422].includes(status) ? [] : [`status ${status}`]),
  ...faultsOf((JSON.parse(body) as { errors?: Errors }).errors, body),
];

/** The built package with its default limits, in a process whose CPU time and heap are its own. */
export class LimitedServer {
  private readonly child: ChildProcess;
  private readonly line: () => Promise<string>;
  url = '';

  private constructor(platform: string) {
    const heap = ['--expose-gc', '--max-old-space-size=192'];
    this.child = spawn(process.execPath, [...heap, '--no-warnings', SERVER, platform]);
    this.line = lineReader(this.child);
  }

  static async start(platform: string): Promise<LimitedServer> {
    const server = new LimitedServer(platform);
    server.url = await server.line();
    return server;
  }

  stop(): void {
    this.child.kill('SIGKILL');
  }

  /** CPU time, and heap after a collection. */
  async used(): Promise<{ readonly cpu: number; readonly heap: number }> {
    this.child.stdin!.write('\n');
    const [cpu, heap] = (await this.line()).split(' ').map(Number);
    return { cpu: cpu!, heap: heap! };
  }

  /** Posts operations, and expects answers without faults. */
  async post(operations: readonly HostileOperation[], faultsIn: FaultsIn): Promise<void> {
    const faults = new Set<string>();
    for (let i = 0; i < operations.length; i += AT_ONCE) {
      const answers = await pipelined(`${this.url}/graphql`, operations.slice(i, i + AT_ONCE));
      for (const answer of answers) {
        for (const fault of faultsIn(answer)) faults.add(`${fault}: ${answer.body}`);
      }
    }
    expect([...faults]).toEqual([]);
  }
}

export const manyOf = (make: (i: number) => HostileOperation, from: number, count: number) =>
  Array.from({ length: count }, (_, i) => make(from + i));
