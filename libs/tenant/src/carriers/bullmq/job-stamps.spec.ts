import { describe, expect, it } from '@jest/globals';
import type { FlowProducer, Queue } from 'bullmq';
import { stampFlowProducer, stampQueue } from './job-stamps.js';

type Method = 'add' | 'addBulk' | 'upsertJobScheduler';

/** Keeps what reached BullMQ. */
function recorder() {
  const got: unknown[][] = [];
  const record = (...args: unknown[]) => void got.push(args);
  const methods: Record<Method, typeof record> = {
    add: record,
    addBulk: record,
    upsertJobScheduler: record,
  };
  return { methods, got };
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(frozen);
  return Object.freeze(value);
}

const mark = { 'fledge-tenant': 'a' };

describe('stampQueue', () => {
  it('refuses a queue of a version of BullMQ without job schedulers', () => {
    const { add, addBulk } = recorder().methods;
    expect(() => stampQueue({ add, addBulk } as unknown as Queue, () => mark)).toThrow(
      '@fledge/tenant/bullmq needs bullmq ^5.16.0 || ^6.0.0: the installed version lacks job schedulers. ' +
        'Run: npm install "bullmq@^5.16.0 || ^6.0.0"',
    );
  });

  const queueOf = (stamp: Record<string, string>) => {
    const { methods, got } = recorder();
    const queue = methods as unknown as Queue;
    stampQueue(queue, () => stamp);
    return { queue, got };
  };

  it('adds to the options, and leaves what it was given as it is', async () => {
    const { queue, got } = queueOf(mark);
    const data = frozen({ id: 7 });
    await queue.add('x', data);
    const ofB = { 'fledge-tenant': 'b', 'fledge-tenant-id': 'b', 'fledge-impersonated-by': 'sam' };
    await queue.add('x', data, frozen({ delay: 5, ...ofB }));
    await queue.addBulk(
      frozen([
        { name: 'y', data },
        { name: 'z', data, opts: { delay: 5, ...ofB } },
      ]),
    );
    await queue.upsertJobScheduler('s', { every: 5 });
    const template = { name: 'n', opts: { attempts: 2, ...ofB } };
    await queue.upsertJobScheduler('s', { every: 5 }, frozen(template));
    expect(got).toEqual([
      ['x', data, mark],
      ['x', data, { delay: 5, ...mark }],
      [
        [
          { name: 'y', data, opts: mark },
          { name: 'z', data, opts: { delay: 5, ...mark } },
        ],
      ],
      ['s', { every: 5 }, { opts: mark }],
      ['s', { every: 5 }, { name: 'n', opts: { attempts: 2, ...mark } }],
    ]);
    expect(got[0]?.[1]).toBe(data);
  });

  it('adds nothing for nobody', async () => {
    const { queue, got } = queueOf({});
    const opts = { delay: 5 };
    await queue.add('x', 1);
    await queue.add('x', 1, opts);
    await queue.upsertJobScheduler('s', { every: 5 });
    expect(got).toEqual([
      ['x', 1, undefined],
      ['x', 1, opts],
      ['s', { every: 5 }, undefined],
    ]);
  });
});

describe('stampFlowProducer', () => {
  it('adds to the options of every job of the tree', async () => {
    const { methods, got } = recorder();
    const producer = methods as unknown as FlowProducer;
    stampFlowProducer(producer, () => mark);
    const flow = frozen({
      ...{ name: 'root', queueName: 'q', opts: { delay: 5 } },
      children: [
        { name: 'leaf', queueName: 'q', opts: { 'fledge-impersonated-by': 'sam' } as object },
      ],
    });
    await producer.add(flow);
    await producer.addBulk([flow]);
    const stamped = {
      ...{ name: 'root', queueName: 'q', opts: { delay: 5, ...mark } },
      children: [{ name: 'leaf', queueName: 'q', opts: mark }],
    };
    expect(got).toEqual([[stamped, undefined], [[stamped]]]);
  });
});
