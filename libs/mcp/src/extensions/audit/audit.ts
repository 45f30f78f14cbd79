import type { McpExtension } from '../../serve/methods/extension.js';
import { AUDIT_OPTION, type AuditOption, type ResolvedAudit } from './audit-options.js';

/** Passes a record of each call to a function of the application. */
export const audit: McpExtension<AuditOption['audit'], ResolvedAudit> = {
  name: 'audit',
  option: AUDIT_OPTION.audit,
  scope: 'module',

  create({ onCall, arguments: withArguments, await: holdsAnswer }, { path, calls, timeoutMs }) {
    calls.subscribe(
      (record, ctx) => {
        if (record.endpoint !== path) return undefined;
        const shown = withArguments ? record : { ...record, arguments: undefined };
        return settled(onCall(shown, ctx), timeoutMs);
      },
      { holdsAnswer },
    );
    return Promise.resolve(undefined);
  },
};

/**
 * Rejects if the audit takes longer than the timeout of a call. Otherwise, a result could wait
 * forever.
 */
async function settled(audited: unknown, limitMs: number): Promise<void> {
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
