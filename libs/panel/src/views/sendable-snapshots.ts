import type { IntrospectionReport } from '@fledge/core';

/**
 * Moves each snapshot that cannot be sent as JSON to the errors, for example if it contains itself
 * or a BigInt. Otherwise, one such adapter would hide the snapshots of all others.
 */
export function sendableSnapshots(report: IntrospectionReport): IntrospectionReport {
  const checked = report.adapters.map((snapshot) => ({ snapshot, message: faultIn(snapshot) }));
  return {
    ...report,
    adapters: checked.map(({ snapshot, message }) =>
      message === undefined ? snapshot : { ...snapshot, state: {}, metrics: {} },
    ),
    errors: [
      ...report.errors,
      ...checked.flatMap(({ snapshot: { name }, message }) =>
        message === undefined ? [] : [{ name, message }],
      ),
    ],
  };
}

function faultIn({ state, metrics }: IntrospectionReport['adapters'][number]): string | undefined {
  try {
    JSON.stringify([state, metrics]);
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `The snapshot cannot be sent as JSON: ${reason}`;
  }
}
