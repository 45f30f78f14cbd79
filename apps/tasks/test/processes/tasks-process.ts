import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { observe } from '../../../../test/support/processes.js';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** Runs the built application in a separate process, as `npm start` does. */
export interface TasksProcess {
  /** What it printed up to the end of the banner. */
  readonly output: string;
  /** Sends SIGTERM; answers how the process ended. */
  stop(): Promise<{ code: number | null; signal: string | null; errors: string }>;
}

export async function startTasks(env: Readonly<Record<string, string>>): Promise<TasksProcess> {
  const child = spawn(process.execPath, [MAIN], {
    env: { ...process.env, PORT: '0', TASKS_DATA: 'memory://', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const { until, end, output } = observe(child);
  await until(/"mcpServers"[^]*\n}\n/);
  return {
    output: output(),
    stop: async () => {
      child.kill('SIGTERM');
      return { ...(await end()), errors };
    },
  };
}
