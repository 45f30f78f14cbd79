import { auditServer } from 'graphql-http';

/**
 * Audits that expect 400 for malformed requests and for variables that cannot be coerced, as an earlier draft did. The first
 * release of GraphQL over HTTP (September 2026) has 422: libs/graphql/test/audit.spec.ts names each of them.
 */
const OF_EARLIER_DRAFT = /^(423L|LKJ[0-3]|6C0[0-3]|476[0-3]|58B[0-3]|3E3A|86EE)$/;

/**
 * What graphql-http's audit finds at an endpoint, by the specification of GraphQL over HTTP. Its
 * notices and warnings, which it leaves to the server, count as failures here.
 */
export async function auditGraphql(url) {
  const all = await auditServer({ url });
  const audits = all.filter(({ id }) => !OF_EARLIER_DRAFT.test(id));
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
