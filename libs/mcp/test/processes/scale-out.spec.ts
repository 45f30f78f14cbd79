// Two processes of the built package behind a proxy that gives each request to the next of them.
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { textOf } from '../support/clients.js';
import { Cluster, inTurn } from '../support/cluster.js';
import { connectEra, type EraClient } from '../support/eras.js';
import { platforms } from '../../../../test/support/platforms.js';

const APP = fileURLToPath(new URL('../scale-out/app.mjs', import.meta.url));
const SECRET = 'one secret for every process of the app';

describe.each(platforms)('two processes behind a proxy, on $name', ({ name: platform }) => {
  const cluster = new Cluster();
  let endpoint: string;
  let client: EraClient | undefined;
  /** The process that gets the requests; undefined: they take turns. */
  let home: number | undefined;

  beforeAll(async () => {
    const turn = inTurn();
    endpoint = await cluster.start([APP, platform, SECRET], (headers) => home ?? turn(headers));
  });
  afterEach(async () => {
    await client?.close().catch(() => undefined);
    client = undefined;
    home = undefined;
  });
  afterAll(() => cluster.stop());

  it('serve a client of 2026-07-28 without affinity, its elicitations too', async () => {
    client = await connectEra('2026-07-28', endpoint, {
      elicit: ({ message }) => ({ action: 'accept', content: { ok: message === 'Sure?' } }),
    });
    const pids = new Set<unknown>();
    for (let i = 0; i < 6; i++) {
      pids.add((JSON.parse(textOf(await client.call('pid'))) as { pid: number }).pid);
    }
    expect(pids).toEqual(new Set(cluster.children.map(({ pid }) => pid)));
    // Three rounds: no process gets two of them in a row.
    expect(JSON.parse(textOf(await client.call('confirm')))).toMatchObject({
      answers: [true, false],
    });
  });

  it('ask the model of a client of 2026-07-28, whose answers reach the other process', async () => {
    let sampled = 0;
    client = await connectEra('2026-07-28', endpoint, {
      sample: () => {
        const content = { type: 'text', text: `word-${++sampled}` };
        return { role: 'assistant', content, model: 'spec' };
      },
    });
    expect(JSON.parse(textOf(await client.call('sample')))).toMatchObject({
      answers: ['word-1', 'word-2'],
    });
  });

  it('serve a session only with affinity to the process that opened it', async () => {
    home = 0;
    client = await connectEra('2025-11-25', endpoint);
    const first = JSON.parse(textOf(await client.call('pid'))) as { pid: number };
    expect(first.pid).toBe(cluster.children[0]!.pid);
    home = 1;
    await expect(client.call('pid')).rejects.toThrow(/Server not initialized|Session not found/);
    home = 0;
    expect(JSON.parse(textOf(await client.call('pid')))).toEqual(first);
  });
});
