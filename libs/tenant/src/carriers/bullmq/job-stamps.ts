import type { FlowJob, FlowProducer, Queue } from 'bullmq';
import { TenantPeerVersionError } from '../../tenant.errors.js';
import { type Stamp, stamped } from '../stamp.js';
import { PEER } from './job-scopes.js';

/**
 * Adds the tenant to the options of each job, because BullMQ keeps these options for delayed,
 * retried and repeated jobs.
 * @throws TenantPeerVersionError if the version of BullMQ is older than 5.16
 */
export function stampQueue(queue: Queue, stamp: Stamp): void {
  if (!('upsertJobScheduler' in queue)) {
    throw new TenantPeerVersionError('@fledge/tenant/bullmq', 'bullmq', PEER, 'job schedulers');
  }
  const add = queue.add.bind(queue);
  const addBulk = queue.addBulk.bind(queue);
  const upsertJobScheduler = queue.upsertJobScheduler.bind(queue);

  queue.add = (name, data, opts) => add(name, data, stamped(opts, stamp()));
  queue.addBulk = (jobs) =>
    addBulk(jobs.map((job) => ({ ...job, opts: stamped(job.opts, stamp()) ?? {} })));
  queue.upsertJobScheduler = (id, repeat, template) => {
    const opts = stamped(template?.opts, stamp());
    return upsertJobScheduler(id, repeat, opts === undefined ? template : { ...template, opts });
  };
}

export function stampFlowProducer(producer: FlowProducer, stamp: Stamp): void {
  const add = producer.add.bind(producer);
  const addBulk = producer.addBulk.bind(producer);

  producer.add = (flow, opts) => add(stampedFlow(flow, stamp), opts);
  producer.addBulk = (flows) => addBulk(flows.map((flow) => stampedFlow(flow, stamp)));
}

function stampedFlow(flow: FlowJob, stamp: Stamp): FlowJob {
  const opts = stamped(flow.opts, stamp());
  const children = flow.children?.map((child) => stampedFlow(child, stamp));
  return { ...flow, ...(opts && { opts }), ...(children && { children }) };
}
