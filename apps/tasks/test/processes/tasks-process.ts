import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

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
  const ended = once(child, 'exit') as Promise<[number | null, string | null]>;
  let output = '';
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));

  await new Promise<void>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (/"mcpServers"[^]*\n}\n/.test(output)) resolve();
    });
    void ended.then(([code]) =>
      reject(new Error(`${MAIN} ended with code ${code} (is it built?):\n${output}${errors}`)),
    );
  });
  return {
    output,
    stop: async () => {
      child.kill('SIGTERM');
      const [code, signal] = await ended;
      return { code, signal, errors };
    },
  };
}
