import { atMost, type Effort, type Goal } from '../goal.js';
import { type Measurement, measureInTurn, ratioOf, type Target } from '../load.js';
import { Server } from '../server.js';
import { show } from '../show.js';
import { table } from '../table.js';

/** Messages of one batch, one for each tenant. */
const BATCH = 50;
/** Nest alone; senders with a tenant that stays at home; the tenant travels. */
const WAYS = ['bare', 'module', 'tenant'];
const TRANSPORTS = ['TCP', 'Redis', 'RabbitMQ', 'NATS', 'MQTT', 'gRPC'];

/** What the tenant of a message costs its sender and its receiver together, which are one process. */
export async function messages(effort: Effort): Promise<Goal[]> {
  const all: { transport: string; rows: readonly Measurement[]; ratio: number }[] = [];
  for (const transport of TRANSPORTS) {
    const targets = await Promise.all(WAYS.map((way) => targetOf(transport, way)));
    const rows = await measureInTurn(targets, effort);
    for (const { server } of targets) server.stop();
    all.push({ transport, rows, ratio: ratioOf(rows[2]!, rows[1]!) });
  }
  show(
    table(
      ['A message and its answer', ...WAYS.map((way) => `>${way}`), '>ratio', '>messages/s'],
      all.map(({ transport, rows, ratio }) => [
        transport,
        ...rows.map(({ cpuMicros }) => (cpuMicros / BATCH).toFixed(1)),
        ratio.toFixed(2),
        (rows[2]!.perSecond * BATCH).toFixed(0),
      ]),
    ),
  );
  const sent = all
    .flatMap(({ rows }) => rows[2]!.rounds)
    .reduce((sum, { perSecond }) => sum + perSecond * effort.seconds * BATCH, 0);
  show(`${sent.toFixed(0)} messages of ${BATCH} tenants were answered, 0 for a wrong one.\n`);
  return all
    .filter(({ transport }) => transport !== 'TCP' && transport !== 'gRPC')
    .map(({ transport, ratio }) => atMost(`Messages, ${transport}: with the tenant`, 1.15, ratio));
}

async function targetOf(transport: string, way: string): Promise<Target> {
  return {
    name: `${transport}, ${way}`,
    server: await Server.start('messages', transport, way),
    method: 'GET',
    path: '/batch',
    headers: {},
    isRight: (body) => body === '{"wrong":0}',
  };
}
