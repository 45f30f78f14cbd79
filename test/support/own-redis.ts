import { spawn } from 'node:child_process';
import { observe } from './processes.js';

/** Starts a Redis that stores nothing. Returns a function that kills it. */
export async function startOwnRedis(port: number): Promise<() => Promise<void>> {
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const child = spawn('redis-server', args, { stdio: 'pipe' });
  const { until, end } = observe(child);
  await until(/Ready to accept connections/);
  return async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await end();
  };
}
