// Checks once, before a tier runs, which services and programs are available for tests. If a
// service is missing, its tests are skipped and one line says so. If a service is present, it must
// respond: no test skips itself later. With FLEDGE_REQUIRE_SERVICES=1, which CI sets, a missing
// service is an error.
import { spawnSync } from 'node:child_process';
import { connect } from 'node:net';

const { env } = process;

/** The address of each service. The keys are the names that specs use in `// Needs PostgreSQL.` */
const SERVICES = {
  PostgreSQL: env.DATABASE_URL ?? 'postgres://127.0.0.1:5432',
  MariaDB: env.MARIADB_URL ?? 'mysql://127.0.0.1:3306',
  Redis: env.REDIS_URL ?? 'redis://127.0.0.1:6379',
  RabbitMQ: env.RABBITMQ_URL ?? 'amqp://127.0.0.1:5672',
  NATS: env.NATS_URL ?? 'nats://127.0.0.1:4222',
  MQTT: env.MQTT_URL ?? 'mqtt://127.0.0.1:1883',
};

/** Programs that tests start. */
const PROGRAMS = ['redis-server', 'pgbouncer'];

/** Long enough for a busy machine. A port without a listener rejects immediately. */
const LONGEST_CONNECT_MS = 30_000;

/**
 * Finds the services and programs that this machine does not have.
 * @returns their names
 * @throws if one is missing and FLEDGE_REQUIRE_SERVICES is set
 */
export async function findAbsentServices() {
  const found = await Promise.all(
    Object.entries(SERVICES).map(async ([name, url]) => [name, await listens(new URL(url))]),
  );
  const programs = PROGRAMS.map((name) => [name, !spawnSync(name, ['--version']).error]);
  const absent = [...found, ...programs].filter(([, isHere]) => !isHere).map(([name]) => name);
  if (absent.length === 0) return absent;
  const places = absent.map((name) => (SERVICES[name] ? `${name} (${SERVICES[name]})` : name));
  if (env.FLEDGE_REQUIRE_SERVICES)
    throw new Error(`These services are required and absent: ${places.join(', ')}.`);
  console.error(`Not on this machine, so their tests are left out: ${places.join(', ')}.`);
  return absent;
}

/**
 * Returns true if something accepts connections at the address, and false if the connection is
 * refused or the host is unknown or unreachable. Rejects on any other error.
 */
function listens({ hostname, port }) {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), timeout: LONGEST_CONNECT_MS });
    socket.once('connect', () => resolve(socket.destroy() !== undefined));
    socket.once('timeout', () =>
      socket.destroy(new Error(`${hostname}:${port} does not respond.`)),
    );
    socket.once('error', (error) =>
      ['ECONNREFUSED', 'ENOTFOUND', 'ENETUNREACH', 'EHOSTUNREACH'].includes(error.code)
        ? resolve(false)
        : reject(error),
    );
  });
}
