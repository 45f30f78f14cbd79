import { Buffer } from 'node:buffer';
import { atMost, type Effort, type Goal } from '../goal.js';
import { type Measurement, measureInTurn, ratioOf, type Target } from '../load.js';
import { statelessRequest } from '../mcp-messages.js';
import { Server } from '../server.js';
import { show } from '../show.js';
import { table } from '../table.js';

const TOOLS = 500;
const CALLED = { name: 'task_action_7', arguments: { title: 'Write the benchmark' } };
// Each tool has each of these words, so all of them are ranked.
const QUERY = { query: 'tell everyone who watches the task_action_7' };

/** Most of a direct call that a call through `call_tool` may cost. */
const CALL_LIMIT = 1.1;

/** What `search` saves of a list of 500 tools, and what a search and a call through `call_tool` cost. */
export async function search(effort: Effort): Promise<Goal[]> {
  const whole = await Server.start('list-app', 'Express', `${TOOLS}`);
  const searched = await Server.start('list-app', 'Express', `${TOOLS}`, 'search');
  const target = (name: string, server: Server, method: string, params: Params): Target => ({
    name,
    server,
    path: '/_mcp/messages',
    ...statelessRequest(method, params),
    isRight: (body) => body.includes('"resultType":"complete"') && !body.includes('"isError":true'),
  });
  const throughCallTool = { name: 'call_tool', arguments: CALLED };
  const targets = [
    target('tools/list, all 500', whole, 'tools/list', {}),
    target('tools/list, search', searched, 'tools/list', {}),
    target('search_tools, 5 tools found', searched, 'tools/call', {
      name: 'search_tools',
      arguments: QUERY,
    }),
    target('a tool, without search', whole, 'tools/call', CALLED),
    target('a tool, by its name', searched, 'tools/call', CALLED),
    target('a tool, through call_tool', searched, 'tools/call', throughCallTool),
  ];
  const sizes = await Promise.all(targets.map(bytesOf));
  const rows = await measureInTurn(targets, effort);
  whole.stop();
  searched.stop();
  show(tableOf(rows, sizes));
  const [direct, through] = rows.slice(-2) as [Measurement, Measurement];
  return [
    atMost(
      'Search: a call through call_tool: of one by its name',
      CALL_LIMIT,
      ratioOf(through, direct),
    ),
  ];
}

type Params = Parameters<typeof statelessRequest>[1];

async function bytesOf({ server, path, body, headers }: Target): Promise<number> {
  const answer = await fetch(server.url + path, { method: 'POST', body: body ?? null, headers });
  return Buffer.byteLength(await answer.text());
}

function tableOf(rows: readonly Measurement[], sizes: readonly number[]): string {
  return table(
    ['Express, 2026-07-28, 500 tools', '>CPU µs per request', '>bytes', '>tokens, estimated'],
    rows.map(({ target, cpuMicros }, i) => {
      const bytes = sizes[i] ?? Number.NaN;
      return [target.name, cpuMicros.toFixed(0), bytes, (bytes / 4).toFixed(0)];
    }),
  );
}
