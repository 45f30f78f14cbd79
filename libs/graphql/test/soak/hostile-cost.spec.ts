// What operations of clients that mean harm cost. HOSTILE_OPERATIONS=1000 sends 30,000: so many of each kind, on each
// platform.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { platforms } from '../../../../test/support/platforms.js';
import { hostileOperations, type HostileOperation } from '../support/hostile-operations.js';
import { type FaultsIn, inRefusal, LimitedServer, manyOf } from '../support/limited-server.js';

const OF_EACH_KIND = Number(process.env['HOSTILE_OPERATIONS'] ?? 40);
/** CPU time of a refusal, as a multiple of that of a small operation that is not cached. About 4 was measured. */
const MOST_TIMES = 25;
const MIB = 1_048_576;
const kinds = Object.keys(hostileOperations);
const inData: FaultsIn = ({ body }) => (body.startsWith('{"data":') ? [] : ['no data']);

describe.each(platforms)('hostile operations on $name', ({ name }) => {
  let server: LimitedServer;
  beforeAll(async () => {
    server = await LimitedServer.start(name);
  });
  afterAll(() => server.stop());

  /** CPU time of the server for each of the operations. */
  const cpuOf = async (operations: readonly HostileOperation[], faultsIn: FaultsIn) => {
    const { cpu } = await server.used();
    await server.post(operations, faultsIn);
    return ((await server.used()).cpu - cpu) / operations.length;
  };

  it('are refused in bounded time, and leave nothing in memory', async () => {
    const small = (i: number) => ({ query: `{ x${i}: a }` });
    await cpuOf(manyOf(small, 0, 200), inData);
    const cpuOfSmall = await cpuOf(manyOf(small, 200, 200), inData);
    const ratios: Record<string, number> = {};
    const each = async (from: number, count: number) => {
      for (const kind of kinds) {
        const cpu = await cpuOf(manyOf(hostileOperations[kind]!, from, count), inRefusal);
        ratios[kind] = Math.round((cpu / cpuOfSmall) * 10) / 10;
      }
      return (await server.used()).heap;
    };
    const warm = Math.ceil(OF_EACH_KIND / 5);
    const before = await each(0, warm);
    const after = await each(warm, OF_EACH_KIND - warm);
    expect(Object.entries(ratios).filter(([, ratio]) => ratio > MOST_TIMES)).toEqual([]);
    expect(after - before).toBeLessThan(8 * MIB);
    if (process.env['FIGURES'] !== undefined) {
      process.stdout.write(`${JSON.stringify({ name, cpuOfSmall, ratios, before, after })}\n`);
    }
  });
});
