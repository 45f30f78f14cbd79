import type { RequestContext } from '@fledge/core';
import type { CallRecord } from '@fledge/core/packages';
import {
  callback,
  flag,
  type OptionTable,
  type ReadOptions,
  readOptions,
  rule,
} from '@fledge-internal/options';

/** Module option for the audit trail. */
export interface AuditOption {
  /** Receives a record of each call. @default none */
  readonly audit?: McpAuditOptions;
}

/** Options of the audit trail for calls of tools, prompts and resources. */
export interface McpAuditOptions {
  /**
   * Receives a record of each call once its result is known, including rejected calls. If this
   * function throws, the error is logged and the result is sent unchanged.
   * @param ctx the request context of the route, for example to read the user that a guard found.
   * Undefined if the route did not run
   */
  onCall(record: CallRecord, ctx: RequestContext | undefined): unknown;
  /**
   * If true, the result is sent only after the promise of `onCall` resolves, at most
   * `limits.timeoutMs` later. Set this option if every call must be stored before its result is
   * sent.
   * @default false
   */
  readonly await?: boolean;
  /** If true, records contain the arguments. Secrets are always removed. @default true */
  readonly arguments?: boolean;
}

const AUDIT = {
  onCall: callback<McpAuditOptions['onCall']>().required,
  await: flag.default(false),
  arguments: flag.default(true),
} satisfies OptionTable<McpAuditOptions>;

export type ResolvedAudit = ReadOptions<typeof AUDIT>;

export const AUDIT_OPTION = {
  audit: rule((given: McpAuditOptions | undefined, place): ResolvedAudit | undefined =>
    given === undefined
      ? undefined
      : { ...readOptions(given, AUDIT, place), onCall: given.onCall.bind(given) },
  ),
} satisfies OptionTable<AuditOption>;
