import { atMost, type Effort, type Goal } from '../goal.js';
import { type Measurement, measureInTurn, type Target } from '../load.js';
import { Server } from '../server.js';
import { show } from '../show.js';
import { median, table } from '../table.js';

const WAYS = {
  bare: 'a bare route',
  fledge: 'TENANT_CONTEXT',
  proxy: 'a proxy provider of nestjs-cls',
  request: 'a REQUEST-scoped provider',
} as const;
type Way = keyof typeof WAYS;

/** What TENANT_CONTEXT may add, of what a proxy provider adds. */
const SHARES = { Express: 0.25, Fastify: 0.15 } as const;
type Platform = keyof typeof SHARES;

/** What it costs that a singleton knows its tenant, beside the other ways there are on Nest. */
export async function tenants(effort: Effort): Promise<Goal[]> {
  return [...(await tenantsOn('Express', effort)), ...(await tenantsOn('Fastify', effort))];
}

async function tenantsOn(platform: Platform, effort: Effort): Promise<Goal[]> {
  const ways = Object.keys(WAYS) as Way[];
  const targets = await Promise.all(ways.map((way) => targetOf(way, platform)));
  const rows = await measureInTurn(targets, effort);
  for (const { server } of targets) server.stop();

  const [bare, fledge, proxy] = rows as [Measurement, Measurement, Measurement];
  show(
    table(
      [platform, '>CPU µs per request', '>added µs', '>req/s'],
      rows.map((row) => [
        row.target.name,
        row.cpuMicros.toFixed(1),
        addedBy(row, bare).toFixed(1),
        row.perSecond.toFixed(0),
      ]),
    ),
  );
  const added = addedBy(fledge, bare);
  const share = added / addedBy(proxy, bare);
  const what = `${platform}, TENANT_CONTEXT`;
  return [
    atMost(`${what}: what it adds of what a proxy provider adds`, SHARES[platform], share),
    ...(platform === 'Fastify' ? [atMost(`${what}: µs that it adds`, 9, added)] : []),
  ];
}

async function targetOf(way: Way, platform: string): Promise<Target> {
  return {
    name: WAYS[way],
    server: await Server.start('tenants', platform, way),
    method: 'GET',
    path: '/whoami',
    headers: { 'x-tenant-id': 'acme' },
    isRight: (body) => body === '{"tenantId":"acme"}',
  };
}

/** Compared round by round: what slows the machine for a while slows both. */
function addedBy(one: Measurement, bare: Measurement): number {
  return median(
    one.rounds.map(({ cpuMicros }, i) => cpuMicros - (bare.rounds[i]?.cpuMicros ?? Number.NaN)),
  );
}
