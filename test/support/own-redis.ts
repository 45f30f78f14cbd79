import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

export const hasRedisServer = spawnSync('redis-server', ['--version']).status === 0;

/** Starts a Redis that keeps nothing. Returns how to kill it. */
export async function startOwnRedis(port: number): Promise<() => Promise<void>> {
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const child = spawn('redis-server', args, { stdio: 'pipe' });
  await once(child.stdout, 'data');
  return async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'close');
  };
}
