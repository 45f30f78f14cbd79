import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, observe } from '../../../../test/support/processes.js';

export interface PgBouncer {
  /** `postgres://user@127.0.0.1:port`, before the name of a database. */
  readonly server: string;
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * PgBouncer before a database, with the user of its URL as administrator.
 * @param settings lines of its file, such as `pool_mode = transaction`
 */
export async function openPgBouncer(
  databaseUrl: string,
  settings: readonly string[],
): Promise<PgBouncer> {
  const { hostname, port, pathname, username } = new URL(databaseUrl);
  const folder = mkdtempSync(join(tmpdir(), 'fledge-pgbouncer-'));
  const at = await freePort();
  writeFileSync(join(folder, 'users.txt'), `"${username}" ""\n`);
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]
* = host=${hostname} port=${port || 5432}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${at}
unix_socket_dir =
auth_type = trust
auth_file = ${folder}/users.txt
admin_users = ${username}
${settings.join('\n')}
`,
  );
  chmodSync(folder, 0o755);
  const root = process.getuid?.() === 0 ? ['-u', 'postgres'] : [];
  const child = spawn('pgbouncer', [...root, join(folder, 'pgbouncer.ini')], { stdio: 'pipe' });
  const { until, end } = observe(child);
  await until(/process up/);
  const server = `postgres://${username}@127.0.0.1:${at}`;
  return {
    server,
    url: server + pathname,
    async stop() {
      child.kill('SIGKILL');
      await end();
      rmSync(folder, { recursive: true });
    },
  };
}
