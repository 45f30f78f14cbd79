import { spawnSync, type SpawnSyncOptions } from 'node:child_process';

/** How a command ended. */
export interface Ended {
  /** Null after a signal. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Both streams. */
  readonly output: string;
}

/** A limit for a command that hangs. No command takes this long, however busy the machine is. */
const LONGEST_RUN_MS = 10 * 60_000;

/**
 * Runs a command until it ends, without the options of Jest's own process.
 * @throws if it does not start, or hangs
 */
export function run(
  command: string,
  args: readonly string[],
  { env, ...options }: Pick<SpawnSyncOptions, 'cwd' | 'env'> = {},
): Ended {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    ...options,
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1', ...env },
    timeout: LONGEST_RUN_MS,
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error) throw new Error(`${command} failed:\n${stdout}${stderr}`, { cause: error });
  return { status, stdout, stderr, output: stdout + stderr };
}

/**
 * Runs a command that must succeed.
 * @returns what it printed on stdout
 * @throws with all that it printed if it fails
 */
export function succeed(...command: Parameters<typeof run>): string {
  const { status, stdout, output } = run(...command);
  if (status === 0) return stdout;
  const [name, args] = command;
  throw new Error(`${name} ${args.join(' ')} ended with ${status ?? 'a signal'}:\n${output}`);
}
