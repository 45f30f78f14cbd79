// Needs redis-server.
// Interleaved calls of many principals on two processes of the built package that share sessions.
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Cluster, inTurn } from '../support/cluster.js';
import { wire } from '../support/wire.js';
import { startOwnRedis } from '../../../../test/support/own-redis.js';
import { platforms } from '../../../../test/support/platforms.js';
import { freePort } from '../../../../test/support/processes.js';

const APP = fileURLToPath(new URL('../several-processes/app.mjs', import.meta.url));
const CALLS = Number(process.env['FLEDGE_INTERLEAVED_CALLS'] ?? 2_000);
const PRINCIPALS = 50;
/** Every so many calls, a principal sends the session of another. */
const STOLEN = 20;

describe.each(platforms)('two processes that share sessions, on $name', ({ name: platform }) => {
  const cluster = new Cluster();
  let endpoint: string;
  let stopRedis: () => Promise<void>;

  beforeAll(async () => {
    const port = await freePort();
    stopRedis = await startOwnRedis(port);
    endpoint = await cluster.start([APP, platform, String(port)], inTurn());
  });
  afterAll(async () => {
    await cluster.stop();
    await stopRedis();
  });

  it(
    'keep the calls of principals apart',
    async () => {
      const pids = new Set<string>();
      let left = CALLS;
      let stolen = 0;
      const sessions: string[] = [];
      const ownerOf = (i: number) => ({ authorization: `Bearer principal-${i}` });
      for (let i = 0; i < PRINCIPALS; i++) {
        sessions.push(await wire(endpoint).initialize(ownerOf(i)));
      }
      const principals = sessions.map(async (session, i) => {
        const { post } = wire(endpoint);
        for (let id = 1; left-- > 0; id++) {
          const word = `word-${i}-${id}`;
          const message = {
            jsonrpc: '2.0',
            id,
            method: 'tools/call',
            params: { name: 'echo', arguments: { word } },
          };
          const isStolen = id % STOLEN === 0;
          const other = sessions[(i + 1) % PRINCIPALS]!;
          const headers = { ...ownerOf(i), 'mcp-session-id': isStolen ? other : session };
          const { status, text } = await post(message, headers);
          if (isStolen) {
            stolen += 1;
            expect([status, text.includes('Session not found')]).toEqual([404, true]);
            continue;
          }
          const events = text.match(/^data: .*$/gm) ?? [];
          const [log, answer] = events.map((event) => JSON.parse(event.slice(6)) as Event);
          expect([status, events.length]).toEqual([200, 2]);
          expect(log?.params?.data).toEqual({ word });
          expect(answer?.id).toBe(id);
          const said = JSON.parse(answer?.result?.content[0]?.text ?? '') as Said;
          expect(said).toMatchObject({ word, caller: `principal-${i}` });
          pids.add(String(said.pid));
        }
      });
      await Promise.all(principals);
      expect(pids.size).toBe(2);
      expect(stolen).toBeGreaterThan(CALLS / STOLEN / 2);
    },
    Math.max(300_000, CALLS * 150),
  );
});

interface Event {
  readonly id?: unknown;
  readonly params?: { readonly data: unknown };
  readonly result?: { readonly content: readonly { readonly text: string }[] };
}

interface Said {
  readonly pid: number;
}
