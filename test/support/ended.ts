import { spawnSync, type SpawnSyncOptions } from 'node:child_process';

/** The result of a command that has ended. */
export interface Ended {
  /** Exit code; null if a signal ended the command. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The output of stdout and stderr. */
  readonly output: string;
}

/**
 * The time limit for a command that hangs. No working command takes this long, even on a busy
 * machine.
 */
const LONGEST_RUN_MS = 10 * 60_000;

/**
 * Runs a command until it ends. Does not pass on the Node.js options of Jest's process.
 * @throws if the command does not start, or hangs
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
 * @returns the output of stdout
 * @throws with all output if the command fails
 */
export function succeed(...command: Parameters<typeof run>): string {
  const { status, stdout, output } = run(...command);
  if (status === 0) return stdout;
  const [name, args] = command;
  throw new Error(`${name} ${args.join(' ')} ended with ${status ?? 'a signal'}:\n${output}`);
}
