import { atMost, type Effort, type Goal } from '../goal.js';
import { type Measurement, measureInTurn, ratioOf, type Target } from '../load.js';
import { statelessRequest } from '../mcp-messages.js';
import { Server } from '../server.js';
import { show } from '../show.js';
import { table } from '../table.js';
import { isResult, TASK, TOOL } from '../task.js';

const CALL = statelessRequest('tools/call', { name: TOOL, arguments: TASK });

/** Most of a call with telemetry off that a call may cost while nothing observes it. */
const IDLE_LIMIT = 1.01;

const DRESSES = {
  off: "telemetry: 'off'",
  bare: 'nothing registered',
  audited: 'audit',
  traced: 'spans and histograms',
};

/** A tool call, observed in each way and in none. */
export async function telemetry(effort: Effort): Promise<Goal[]> {
  const servers: Server[] = [];
  const targets: Target[] = [];
  for (const [dress, name] of Object.entries(DRESSES)) {
    const server = await Server.start('app', 'Express', dress);
    servers.push(server);
    targets.push({ name, server, path: '/_mcp/messages', ...CALL, isRight: isResult });
  }
  const rows = await measureInTurn(targets, effort);
  for (const server of servers) server.stop();
  const [off, bare] = rows as [Measurement, Measurement];
  show(
    table(
      ['Tool call, 2026-07-28', '>CPU µs per request', ">of telemetry: 'off'"],
      rows.map((row) => [row.target.name, row.cpuMicros.toFixed(0), ratioOf(row, off).toFixed(3)]),
    ),
  );
  return [
    atMost(
      "Telemetry: a call while nothing observes: of telemetry: 'off'",
      IDLE_LIMIT,
      ratioOf(bare, off),
    ),
  ];
}
