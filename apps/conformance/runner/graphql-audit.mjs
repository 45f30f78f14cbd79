import { auditServer } from 'graphql-http';

/**
 * What graphql-http's audit finds at an endpoint, by the specification of GraphQL over HTTP. Its
 * notices and warnings, which it leaves to the server, count as failures here.
 */
export async function auditGraphql(url) {
  const audits = await auditServer({ url });
  const faults = audits.filter(({ status }) => status !== 'ok');
  return { passed: audits.length - faults.length, total: audits.length, faults };
}

/** The summary of the audits of all platforms, and whether there is nothing to find. */
export function auditReport(audits) {
  const lines = audits.flatMap(({ platform, passed, total, faults }) => [
    `GraphQL over HTTP on ${platform}: ${passed} of ${total}`,
    ...faults.map(({ id, name, status, reason }) => `- ${status} ${id} ${name}: ${reason}`),
  ]);
  const isGood = audits.every(({ passed, total }) => total > 0 && passed === total);
  return { text: lines.join('\n'), isGood };
}
