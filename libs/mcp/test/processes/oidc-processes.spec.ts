// Needs redis-server.
// Interleaved calls with signed tokens of two providers, on two processes of the built package that share sessions.
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Cluster, inTurn } from '../support/cluster.js';
import { Issuer } from '../support/issuer.js';
import { postModern } from '../support/modern-wire.js';
import { type Wire, wire } from '../support/wire.js';
import { startOwnRedis } from '../../../../test/support/own-redis.js';
import { platforms } from '../../../../test/support/platforms.js';
import { freePort } from '../../../../test/support/processes.js';

const APP = fileURLToPath(new URL('../several-processes/app.mjs', import.meta.url));
const CALLS = Number(process.env['FLEDGE_INTERLEAVED_CALLS'] ?? 800);
const PATHS = ['/_mcp/messages', '/partners'];
const AUDIENCES = ['https://api.example.com/mcp', 'https://api.example.com/partners'];
/** Half of them at each provider, where the same subjects are other people. */
const PRINCIPALS = 20;
const TENANTS = 7;
/** A principal gets a new token after so many calls. */
const RENEWED = 10;
/** Every so many calls a principal sends the session of another, and later a token of another that is forged. */
const WRONG = 20;

describe.each(platforms)(
  'two processes that take tokens of two providers, on $name',
  ({ name: platform }) => {
    const cluster = new Cluster();
    const issuers: Issuer[] = [];
    const endpoints: string[] = [];
    let stopRedis: () => Promise<void>;

    beforeAll(async () => {
      const port = await freePort();
      stopRedis = await startOwnRedis(port);
      const auths: Record<string, object> = {};
      for (const [i, path] of PATHS.entries()) {
        const issuer = await Issuer.start();
        issuers.push(issuer);
        auths[path] = { type: 'oidc', issuer: issuer.url, audience: AUDIENCES[i] };
      }
      const sessions = Object.fromEntries(PATHS.map((path) => [path, { max: 1_000 }]));
      const options = [sessions, auths].map((each) => JSON.stringify(each));
      const first = await cluster.start([APP, platform, String(port), ...options], inTurn());
      endpoints.push(...PATHS.map((path) => new URL(path, first).href));
    });
    afterAll(async () => {
      await cluster.stop();
      await stopRedis();
      for (const issuer of issuers) await issuer.close();
    });

    const providerOf = (i: number) => (i < PRINCIPALS / 2 ? 0 : 1);
    const subjectOf = (i: number) => `person-${i % (PRINCIPALS / 2)}`;
    const tokenOf = (i: number) => {
      const claims = { sub: subjectOf(i), tenant: `tenant-${i % TENANTS}` };
      return issuers[providerOf(i)]!.token(AUDIENCES[providerOf(i)]!, { claims });
    };

    /** One principal: calls in its session and, in turn, calls of 2026-07-28, which have none. */
    class Principal {
      private readonly wire: Wire;
      private token = '';
      session = '';

      constructor(readonly index: number) {
        this.wire = wire(endpoints[providerOf(index)]!);
      }

      async open(): Promise<void> {
        await this.renew();
        this.session = await this.wire.initialize(this.headers());
      }

      async renew(): Promise<void> {
        this.token = await tokenOf(this.index);
      }

      /** A call in a session is answered behind its log message. */
      async call(id: number, word: string): Promise<unknown> {
        const params = { name: 'echo', arguments: { word } };
        if (id % 2 === 0) {
          const headers = this.headers();
          const answer = await postModern(this.wire, { method: 'tools/call', params, headers });
          expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
          return saidIn(answer.message);
        }
        const message = { jsonrpc: '2.0', id, method: 'tools/call', params };
        const { status, text } = await this.wire.post(message, {
          ...this.headers(),
          'mcp-session-id': this.session,
        });
        const events = text.match(/(?<=^data: ).*$/gm) ?? [];
        expect([status, events.length]).toEqual([200, 2]);
        const [log, answer] = events.map((event) => JSON.parse(event) as Message);
        expect(log?.params?.data).toEqual({ word });
        expect(answer?.id).toBe(id);
        return saidIn(answer);
      }

      async callIn({ session }: Principal): Promise<number> {
        const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
        const headers = { ...this.headers(), 'mcp-session-id': session };
        return (await this.wire.post(message, headers)).status;
      }

      /** Calls with the claims of another and the signature of its own token. */
      async callAs({ token }: Principal): Promise<number> {
        const [header, , signature] = this.token.split('.');
        const headers = this.headers([header, token.split('.')[1], signature].join('.'));
        return (await postModern(this.wire, { method: 'tools/list', headers })).status;
      }

      private headers(token = this.token) {
        return { authorization: `Bearer ${token}` };
      }
    }

    it(
      'keep the calls of people and their tenants apart',
      async () => {
        const people = Array.from({ length: PRINCIPALS }, (_, i) => new Principal(i));
        await Promise.all(people.map((person) => person.open()));
        const pids = new Set<unknown>();
        let left = CALLS;
        let refused = 0;
        const running = people.map(async (person, i) => {
          // The same subject at the other provider, and a neighbour at the same one.
          const others = [people[(i + PRINCIPALS / 2) % PRINCIPALS]!, people[i ^ 1]!];
          for (let id = 1; left-- > 0; id++) {
            if (id % RENEWED === 0) await person.renew();
            const other = others[Math.floor(id / WRONG) % 2]!;
            if (id % WRONG === 0) {
              expect(await person.callIn(other)).toBe(404);
              refused += 1;
            } else if (id % WRONG === WRONG / 2) {
              expect(await person.callAs(other)).toBe(401);
              refused += 1;
            } else {
              const word = `word-${i}-${id}`;
              const said = await person.call(id, word);
              expect(said).toEqual({
                word,
                caller: `${issuers[providerOf(i)]!.url}#${subjectOf(i)}`,
                tenant: `tenant-${i % TENANTS}`,
                pid: expect.any(Number),
              });
              pids.add((said as { pid: number }).pid);
            }
          }
        });
        await Promise.all(running);
        expect(pids).toEqual(new Set(cluster.children.map(({ pid }) => pid)));
        expect(refused).toBeGreaterThan(CALLS / WRONG);
        // Each process read the keys of each provider once.
        expect(issuers.map(({ keyRequests }) => keyRequests)).toEqual([2, 2]);
      },
      Math.max(300_000, CALLS * 150),
    );
  },
);

interface Message {
  readonly id?: unknown;
  readonly params?: { readonly data: unknown };
  readonly result?: Record<string, unknown>;
}

function saidIn(answer: Message | undefined): unknown {
  const [content] = (answer?.result?.['content'] ?? []) as { text: string }[];
  return JSON.parse(content?.text ?? 'null');
}
