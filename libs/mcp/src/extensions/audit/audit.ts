import { withDeadline } from '@fledge/core/packages';
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
        // Without a deadline, a result could wait forever.
        return withDeadline(
          Promise.resolve(onCall(shown, ctx)),
          timeoutMs,
          () => new Error(`audit.onCall did not finish within ${timeoutMs} ms`),
        );
      },
      { holdsAnswer },
    );
    return Promise.resolve(undefined);
  },
};
