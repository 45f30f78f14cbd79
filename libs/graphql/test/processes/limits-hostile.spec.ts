// Operations of clients that mean harm. The server is the built package in a process to itself.
// What they cost is measured in soak/hostile-cost.spec.ts.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { platforms } from '../../../../test/support/platforms.js';
import { hostileOperations } from '../support/hostile-operations.js';
import {
  type Errors,
  faultsOf,
  inRefusal,
  LimitedServer,
  manyOf,
} from '../support/limited-server.js';
import { hangUp, Wire } from '../support/sockets.js';

const OF_EACH_KIND = 40;
const MIB = 1_048_576;
const kinds = Object.keys(hostileOperations);

describe.each(platforms)('hostile operations on $name', ({ name }) => {
  let server: LimitedServer;
  beforeAll(async () => {
    server = await LimitedServer.start(name);
  });
  afterAll(() => {
    hangUp();
    server.stop();
  });

  it('are refused over HTTP, and leave nothing in memory', async () => {
    const each = async (from: number, count: number) => {
      for (const kind of kinds) {
        await server.post(manyOf(hostileOperations[kind]!, from, count), inRefusal);
      }
      return (await server.used()).heap;
    };
    const warm = OF_EACH_KIND / 5;
    const before = await each(0, warm);
    const after = await each(warm, OF_EACH_KIND - warm);
    expect(after - before).toBeLessThan(8 * MIB);
  });

  it('are refused over sockets and event streams', async () => {
    const wire = await Wire.connect(`${server.url}/graphql`);
    for (const kind of kinds) {
      for (const i of [20_001, 20_002]) {
        const { query, ...more } = hostileOperations[kind]!(i);
        const id = `${kind} ${i}`;
        wire.subscribe(id, query, more);
        const { type, payload } = await wire.answer(id);
        // Execution reports invalid variables.
        const errors = (type === 'next' ? payload.errors : payload) as Errors;
        expect([kind, ...faultsOf(errors, JSON.stringify(payload))]).toEqual([kind]);

        const stream = await fetch(`${server.url}/yoga`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
          body: JSON.stringify({ query, ...more }),
        });
        const text = await stream.text();
        const event = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) as { errors: Errors };
        expect([kind, ...faultsOf(event.errors, text)]).toEqual([kind]);
      }
    }
    wire.vanish();
  });
});
