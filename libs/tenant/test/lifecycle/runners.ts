import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { observe } from '../../../../test/support/processes.js';
import type { TenantRecord } from '@fledge/tenant';
import type { TenantRunOptions, TenantRunReport } from '@fledge/tenant/lifecycle';
import type { FleetOptions } from './fleet.mjs';

const RUNNER = fileURLToPath(new URL('./runner.mjs', import.meta.url));

export interface Runner {
  readonly process: ChildProcess;
  /** Lines that it has printed so far. */
  readonly lines: Record<string, unknown>[];
  /** What it printed last, when it has ended. */
  readonly report: Promise<TenantRunReport & { readonly code?: string }>;
}

/** Starts a process that migrates, or creates a tenant. */
export function runner(
  options: FleetOptions & {
    readonly run?: TenantRunOptions;
    readonly create?: TenantRecord | TenantRecord[];
  },
): Runner {
  const child = spawn(process.execPath, ['--no-warnings', RUNNER, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  const lines: Record<string, unknown>[] = [];
  let rest = '';
  child.stdout.on('data', (chunk: Buffer) => {
    const parts = (rest + String(chunk)).split('\n');
    rest = parts.pop() as string;
    lines.push(...parts.map((line) => JSON.parse(line) as Record<string, unknown>));
  });
  const { end, output } = observe(child);
  const report = end().then(({ code, signal }) => {
    if (code !== 0 && signal !== 'SIGKILL') {
      throw new Error(`The runner ended with ${signal ?? `code ${code}`}:\n${output()}`);
    }
    return lines.at(-1) as unknown as TenantRunReport;
  });
  return { process: child, lines, report };
}
