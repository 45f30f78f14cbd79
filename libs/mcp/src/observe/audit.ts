import type { CallObserver, CallObservers } from '@fledge/core/packages';
import type { ResolvedMcpOptions } from '../mcp.defaults.js';

/** Passes the record of each call to the `audit` option. */
export function subscribeAudit(
  observers: CallObservers,
  { audit, limits }: Pick<ResolvedMcpOptions, 'audit' | 'limits'>,
): void {
  if (audit === undefined) return;
  const { onCall, arguments: withArguments, await: holdsAnswer } = audit;
  const observer: CallObserver = (record, ctx) =>
    settledOf(
      onCall(withArguments ? record : { ...record, arguments: undefined }, ctx),
      limits.timeoutMs,
    );
  observers.subscribe(observer, { holdsAnswer });
}

/** Rejects if the audit takes longer than a call may, so that no answer waits forever. */
async function settledOf(audited: unknown, limitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`audit.onCall did not finish within ${limitMs} ms`));
    }, limitMs);
  });
  try {
    await Promise.race([audited, late]);
  } finally {
    clearTimeout(timer);
  }
}
