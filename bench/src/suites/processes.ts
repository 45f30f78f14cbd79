import type { Effort, Goal } from '../goal.js';
import { comparisonTable, CONNECTIONS, measureInTurn, ratioOf, type Target } from '../load.js';
import { sessionRequest, statelessRequest } from '../mcp-messages.js';
import { openSessions } from '../mcp-sessions.js';
import { removeKeys } from '../redis.js';
import { Server } from '../server.js';
import { show } from '../show.js';
import { isResult, TASK, TOOL } from '../task.js';
import { startIssuer } from '../token-issuer.js';

const PATH = '/_mcp/messages';
const PARAMS = { name: TOOL, arguments: TASK };
const IN_SESSION = sessionRequest('tools/call', PARAMS);
const STATELESS = statelessRequest('tools/call', PARAMS);

const DRESSES = {
  bare: '2025-11-25, sessions in memory',
  resume: '2025-11-25, in memory, with `resume`',
  redis: '2025-11-25, sessions in Redis',
  'redis-resume': '2025-11-25, in Redis, with `resume`',
};

/** What a call costs when other processes can go on with its session, and when its caller has a signed token. */
export async function processes(effort: Effort): Promise<Goal[]> {
  const issuer = await startIssuer();
  const targets: Target[] = [];
  for (const [dress, name] of Object.entries(DRESSES)) {
    targets.push(await inSession(name, await Server.start('app', 'Express', dress)));
  }
  const [memory] = targets as [Target];
  const verified = await Server.start('app', 'Express', 'oidc', issuer.url);
  const authorization = `Bearer ${issuer.token}`;
  const stateless = { path: PATH, body: STATELESS.body, isRight: isResult };
  const { headers } = STATELESS;
  const plain = { name: '2026-07-28', server: memory.server, headers, ...stateless };
  targets.push(plain, {
    name: "2026-07-28, `auth: { type: 'oidc' }`",
    server: verified,
    headers: { ...headers, authorization },
    ...stateless,
  });

  const rows = await measureInTurn(targets, effort);
  for (const { server } of targets) server.stop();
  issuer.close();
  await removeKeys();
  const rowOf = (target: Target) => rows.find((row) => row.target === target)!;
  show(
    comparisonTable(['Tool call, Express', 'of the plain call'], rows, (row) =>
      rowOf(row.target.sessions ? memory : plain),
    ),
  );
  return [];
}

async function inSession(name: string, server: Server): Promise<Target> {
  const sessions = await openSessions(server.url + PATH, CONNECTIONS);
  // Without the header, streams are not resumed.
  const headers = { ...IN_SESSION.headers, 'mcp-protocol-version': '2025-11-25' };
  return { name, server, path: PATH, body: IN_SESSION.body, headers, sessions, isRight: isResult };
}
